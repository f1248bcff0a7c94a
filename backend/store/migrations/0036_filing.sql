-- What tools did to files, step by step: it goes on after a crash, and can be taken back.
CREATE TABLE filing_steps (
  use     TEXT NOT NULL,              -- the ticket and its step, with a slash between
  n       INTEGER NOT NULL,
  step    TEXT NOT NULL,              -- as JSON
  state   INTEGER NOT NULL DEFAULT 0, -- 0 intended, 1 done, 2 left
  why     TEXT NOT NULL DEFAULT '',   -- why it was left
  old     TEXT NOT NULL DEFAULT '',   -- the hash of the content that it replaced
  created INTEGER NOT NULL,
  PRIMARY KEY (use, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX filing_intended ON filing_steps (use, n) WHERE state = 0;
CREATE INDEX filing_age ON filing_steps (created);

CREATE TABLE filing_contents ( -- contents that were replaced, so that they can be put back
  hash    TEXT PRIMARY KEY,
  data    BLOB NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE filing_plans ( -- what was shown before it was approved
  hash    TEXT PRIMARY KEY,
  plan    BLOB NOT NULL,      -- JSON, compressed
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
