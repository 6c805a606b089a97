-- One approximate index for each usual dimension; an index without rows costs nothing.
-- m and ef_construction are pgvector's defaults; measured recall in docs/benchmarks.md.

CREATE INDEX embeddings_hnsw_384 ON embeddings USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 384;
CREATE INDEX embeddings_hnsw_512 ON embeddings USING hnsw ((embedding::halfvec(512)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 512;
CREATE INDEX embeddings_hnsw_768 ON embeddings USING hnsw ((embedding::halfvec(768)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 768;
CREATE INDEX embeddings_hnsw_1024 ON embeddings USING hnsw ((embedding::halfvec(1024)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 1024;
CREATE INDEX embeddings_hnsw_1536 ON embeddings USING hnsw ((embedding::halfvec(1536)) halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 64) WHERE vector_dims(embedding) = 1536;
