-- Letters: what was sent to an interpreter and what came back, for inspection; the reasoning behind a message.

CREATE TABLE letters (
  n        INTEGER PRIMARY KEY,
  id       TEXT NOT NULL UNIQUE,
  chat     TEXT NOT NULL,
  job      TEXT NOT NULL,
  size     INTEGER NOT NULL, -- bytes of body
  at       INTEGER NOT NULL, -- unix microseconds
  head     TEXT NOT NULL,    -- what a list shows, as JSON
  frozen   TEXT NOT NULL,    -- the hash of a frozen part
  body     BLOB NOT NULL     -- the rest, deflated JSON
) STRICT;
CREATE INDEX letters_chat ON letters (chat, n);
CREATE INDEX letters_job ON letters (job, n) WHERE job <> '';

CREATE TABLE letter_parts ( -- what letters have in common: the system block and the cards it was made of
  hash TEXT PRIMARY KEY, -- SHA-256 of the JSON
  body BLOB NOT NULL     -- deflated JSON
) STRICT;

ALTER TABLE messages ADD COLUMN reasoning TEXT NOT NULL DEFAULT '';
