-- What a chat's title knows: how often it was named after its first words, and up to which request (messages.n).
ALTER TABLE chats ADD COLUMN titles INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN titled_at INTEGER NOT NULL DEFAULT 0;

-- How far a person has read in a chat, and where they were in it. A chat without a row was never left.
CREATE TABLE places (
  chat   TEXT PRIMARY KEY,
  seen   INTEGER NOT NULL,             -- messages.n of the newest that was in sight
  line   TEXT NOT NULL DEFAULT '',     -- the message at the top of what was in sight; '': its end was
  offset REAL NOT NULL DEFAULT 0       -- how much of that message was above the edge, in its heights
) STRICT, WITHOUT ROWID;
