-- Requests that left this computer, or were kept from it. Those that are alike and carry none of the person's words share a row.
CREATE TABLE outbound (
  n        INTEGER PRIMARY KEY AUTOINCREMENT, -- a page asks for what is before a number
  id       TEXT NOT NULL UNIQUE,
  at       INTEGER NOT NULL, -- when it began
  last     INTEGER NOT NULL, -- when the newest of them was over
  times    INTEGER NOT NULL,
  room     TEXT NOT NULL,
  chat     TEXT NOT NULL,
  job      TEXT NOT NULL,
  method   TEXT NOT NULL,
  host     TEXT NOT NULL,
  path     TEXT NOT NULL,
  address  TEXT NOT NULL,
  net      TEXT NOT NULL,
  words    TEXT NOT NULL,
  sent     INTEGER NOT NULL,
  received INTEGER NOT NULL,
  outcome  TEXT NOT NULL,
  code     TEXT NOT NULL,
  status   INTEGER NOT NULL
) STRICT;
CREATE INDEX outbound_left ON outbound (last) WHERE outcome <> 'refused';
