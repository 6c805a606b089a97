-- The documents that are a norm come before those that mention it: of a norm that thousands mention, a search reads the
-- first few rows.
CREATE INDEX document_identifiers_own_first ON document_identifiers (project_id, base, own DESC, document_id);
