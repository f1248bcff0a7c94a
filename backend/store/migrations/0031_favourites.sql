-- Favourites: words that are said again and again, under a name, with blanks; and what stands open of one whose blanks are being asked for.
CREATE TABLE favourites (
  n       INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  name    TEXT NOT NULL,
  folded  TEXT NOT NULL,             -- the name as names are compared
  text    TEXT NOT NULL,             -- with its blanks in braces
  blanks  TEXT NOT NULL DEFAULT '',  -- whose arguments they are, as JSON
  created INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0 -- 0: it is not in the trash
) STRICT;
CREATE UNIQUE INDEX favourites_name ON favourites (folded) WHERE deleted = 0;

CREATE TABLE fillings (
  chat TEXT PRIMARY KEY,
  data TEXT NOT NULL -- the favourite, the values that were given and the blank that is asked for, as JSON
) STRICT, WITHOUT ROWID;
