-- Better graphs for the approximate indexes: ef_construction 200 instead of 64. To find 97 of the 100 nearest, a search
-- reads a fifth less among 22,000 vectors and a third less among 100,000; to insert a vector costs half a millisecond
-- more, where embedding it costs twenty. A larger m reads no less. Measured in docs/benchmarks.md.

DROP INDEX embeddings_hnsw_384;
CREATE INDEX embeddings_hnsw_384 ON embeddings USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 384;
DROP INDEX embeddings_hnsw_384_foreign;
CREATE INDEX embeddings_hnsw_384_foreign ON embeddings USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 384 AND language <> 'es';
DROP INDEX embeddings_hnsw_512;
CREATE INDEX embeddings_hnsw_512 ON embeddings USING hnsw ((embedding::halfvec(512)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 512;
DROP INDEX embeddings_hnsw_512_foreign;
CREATE INDEX embeddings_hnsw_512_foreign ON embeddings USING hnsw ((embedding::halfvec(512)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 512 AND language <> 'es';
DROP INDEX embeddings_hnsw_768;
CREATE INDEX embeddings_hnsw_768 ON embeddings USING hnsw ((embedding::halfvec(768)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 768;
DROP INDEX embeddings_hnsw_768_foreign;
CREATE INDEX embeddings_hnsw_768_foreign ON embeddings USING hnsw ((embedding::halfvec(768)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 768 AND language <> 'es';
DROP INDEX embeddings_hnsw_1024;
CREATE INDEX embeddings_hnsw_1024 ON embeddings USING hnsw ((embedding::halfvec(1024)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 1024;
DROP INDEX embeddings_hnsw_1024_foreign;
CREATE INDEX embeddings_hnsw_1024_foreign ON embeddings USING hnsw ((embedding::halfvec(1024)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 1024 AND language <> 'es';
DROP INDEX embeddings_hnsw_1536;
CREATE INDEX embeddings_hnsw_1536 ON embeddings USING hnsw ((embedding::halfvec(1536)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 1536;
DROP INDEX embeddings_hnsw_1536_foreign;
CREATE INDEX embeddings_hnsw_1536_foreign ON embeddings USING hnsw ((embedding::halfvec(1536)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 200) WHERE vector_dims(embedding) = 1536 AND language <> 'es';
