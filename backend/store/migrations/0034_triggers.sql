-- Triggers: a standing order may wait for files or for the end of tickets instead of moments.
ALTER TABLE standing_orders ADD COLUMN waits TEXT NOT NULL DEFAULT '';   -- what it waits for instead of moments, as JSON
ALTER TABLE standing_orders ADD COLUMN tool  TEXT NOT NULL DEFAULT '';   -- and if that is the end of tickets, of which tool
ALTER TABLE standing_orders ADD COLUMN skips INTEGER NOT NULL DEFAULT 0; -- whether the next time is left out
ALTER TABLE standing_orders ADD COLUMN held  INTEGER NOT NULL DEFAULT 0; -- until when it rests, having run too often
CREATE INDEX standing_waits ON standing_orders (n) WHERE state = 'active' AND waits <> '';
CREATE INDEX standing_tools ON standing_orders (tool) WHERE state = 'active' AND tool <> '';

ALTER TABLE standing_runs ADD COLUMN because TEXT NOT NULL DEFAULT ''; -- what set it off, as people call it
ALTER TABLE standing_runs ADD COLUMN chain   TEXT NOT NULL DEFAULT ''; -- the orders whose runs led to it, as JSON

CREATE TABLE standing_events ( -- what happened that an order waits for, until that was dealt with
  n        INTEGER PRIMARY KEY AUTOINCREMENT,
  standing TEXT NOT NULL,
  key      TEXT NOT NULL,              -- the ticket, or the file with its size and time
  name     TEXT NOT NULL,              -- what people call it: other people's words
  at       INTEGER NOT NULL,
  late     INTEGER NOT NULL DEFAULT 0, -- it happened while nobody was there
  chain    TEXT NOT NULL DEFAULT '',   -- the orders whose runs led to it, as JSON
  UNIQUE (standing, key)
) STRICT;

CREATE TABLE standing_files ( -- what an order knows of its folder
  standing TEXT NOT NULL,
  path     TEXT NOT NULL,
  size     INTEGER NOT NULL,
  mtime    INTEGER NOT NULL,           -- nanoseconds
  gone     INTEGER NOT NULL DEFAULT 0, -- since when it is not there any more
  PRIMARY KEY (standing, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE standing_made ( -- files that runs wrote, so that an order does not set itself off
  path  TEXT NOT NULL,
  size  INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  chain TEXT NOT NULL,
  at    INTEGER NOT NULL,
  PRIMARY KEY (path, size, mtime)
) STRICT, WITHOUT ROWID;
