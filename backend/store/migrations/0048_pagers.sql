-- Phones that were paired, each with its own key (of which only the hash is kept).

CREATE TABLE pagers (
  id     TEXT PRIMARY KEY,
  name   TEXT NOT NULL,
  key    BLOB NOT NULL UNIQUE, -- SHA-256
  paired INTEGER NOT NULL,
  seen   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
