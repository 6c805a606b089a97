-- Vectors of other languages, once more in an approximate index without the Spanish ones. A Spanish question is nearer to
-- nearly all Spanish vectors than to the nearest English one: in the common index a search for English reads them all.

CREATE INDEX embeddings_hnsw_384_foreign ON embeddings USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 384 AND language <> 'es';
CREATE INDEX embeddings_hnsw_512_foreign ON embeddings USING hnsw ((embedding::halfvec(512)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 512 AND language <> 'es';
CREATE INDEX embeddings_hnsw_768_foreign ON embeddings USING hnsw ((embedding::halfvec(768)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 768 AND language <> 'es';
CREATE INDEX embeddings_hnsw_1024_foreign ON embeddings USING hnsw ((embedding::halfvec(1024)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 1024 AND language <> 'es';
CREATE INDEX embeddings_hnsw_1536_foreign ON embeddings USING hnsw ((embedding::halfvec(1536)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 1536 AND language <> 'es';
