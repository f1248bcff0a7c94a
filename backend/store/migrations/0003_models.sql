-- Models: downloads that are under way, paused or failed.

CREATE TABLE pulls (
  n       INTEGER PRIMARY KEY, -- the order they were asked for
  model   TEXT NOT NULL UNIQUE,
  state   TEXT NOT NULL, -- waiting, pulling, paused, failed
  done    INTEGER NOT NULL DEFAULT 0, -- bytes, as far as is known
  total   INTEGER NOT NULL DEFAULT 0,
  percent REAL NOT NULL DEFAULT 0,
  failure TEXT NOT NULL DEFAULT '' -- why it failed: code and fields as JSON
) STRICT;
