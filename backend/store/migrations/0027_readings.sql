-- How messages were read, to be looked at beside the letters; the newest, as many as letters are kept.

CREATE TABLE readings (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE, -- the message's
  chat TEXT NOT NULL,
  body BLOB NOT NULL
);
CREATE INDEX readings_chat ON readings (chat, n);
