-- What an answer was shown with, so that it reads alike when the conversation is opened again.
ALTER TABLE messages
    ADD COLUMN unsupported text[] NOT NULL DEFAULT '{}',  -- sentences that share next to nothing with their sources
    ADD COLUMN notices text[] NOT NULL DEFAULT '{}';
