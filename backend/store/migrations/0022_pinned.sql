-- A conversation that a person wants to keep in sight stands before the others.

ALTER TABLE chats ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
