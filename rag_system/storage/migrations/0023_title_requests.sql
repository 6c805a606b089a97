-- A row may tell of a request that is no answer: what a conversation is to be called. Of it are the tokens and what they cost.
ALTER TABLE answer_metrics ADD COLUMN purpose text NOT NULL DEFAULT 'answer' CHECK (purpose IN ('answer', 'title'));
