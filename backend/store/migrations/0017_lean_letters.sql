-- A letter names the parts it shares with others: those of its role and those of its chat. There are few letters, so that a list
-- of one chat's or one job's is made by looking at each, and none of them costs an index.
ALTER TABLE letters ADD COLUMN form TEXT NOT NULL DEFAULT '';
ALTER TABLE letters ADD COLUMN chapter TEXT NOT NULL DEFAULT '';
DROP INDEX letters_chat;
DROP INDEX letters_job;
