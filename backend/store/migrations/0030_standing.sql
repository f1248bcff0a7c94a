-- Standing orders: what is done again and again, when it is due next, and what became of each moment.
CREATE TABLE standing_orders (
  n       INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  chat    TEXT NOT NULL,
  text    TEXT NOT NULL,               -- the customer's whole sentence
  what    TEXT NOT NULL,               -- what is to be done, in their words
  lang    TEXT NOT NULL,
  rule    TEXT NOT NULL,               -- RFC 5545, without DTSTART
  start   INTEGER NOT NULL,            -- where the rule begins to count
  state   TEXT NOT NULL,               -- proposed, active, paused, ended
  missed  TEXT NOT NULL DEFAULT 'once', -- what becomes of moments that passed unseen: once, tell
  next    INTEGER NOT NULL DEFAULT 0,  -- the moment it waits for; 0: none
  last    INTEGER NOT NULL DEFAULT 0,  -- the moment that was run last
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX standing_due ON standing_orders (next) WHERE state = 'active' AND next > 0;

CREATE TABLE standing_runs (
  n        INTEGER PRIMARY KEY AUTOINCREMENT,
  standing TEXT NOT NULL,
  due      INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  outcome  TEXT NOT NULL,              -- run, missed, busy, skipped
  missed   INTEGER NOT NULL DEFAULT 0, -- how many moments before it passed unseen
  chat     TEXT NOT NULL DEFAULT '',
  turn     TEXT NOT NULL DEFAULT '',   -- of a run: the message it began with
  UNIQUE (standing, due)               -- a moment is claimed once
) STRICT;
CREATE UNIQUE INDEX standing_runs_turn ON standing_runs (turn) WHERE turn <> '';

CREATE TABLE standing_jobs ( -- the tickets of a run
  turn TEXT NOT NULL,
  job  TEXT NOT NULL,
  PRIMARY KEY (turn, job)
) STRICT, WITHOUT ROWID;

ALTER TABLE messages ADD COLUMN standing TEXT NOT NULL DEFAULT ''; -- the standing order it belongs to, as JSON

-- What a run of a standing order may do without asking: agreed to for exactly one call.
ALTER TABLE grants ADD COLUMN standing TEXT NOT NULL DEFAULT ''; -- with the scope order: the standing order
ALTER TABLE grants ADD COLUMN digest TEXT NOT NULL DEFAULT '';   -- and the call
