-- When an attempt began to embed: what it embeds since then tells a rate. Reading a scan before may take far longer.
ALTER TABLE ingestions ADD COLUMN embedding_since timestamptz;
