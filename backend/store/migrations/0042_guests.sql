-- Programs that call the shop, each with its own key (of which only the hash is kept), its tools and its limits for a day.

CREATE TABLE guests (
  id      TEXT PRIMARY KEY,
  name    TEXT NOT NULL,
  key     BLOB NOT NULL UNIQUE, -- SHA-256
  tools   TEXT NOT NULL,        -- their keys, as JSON
  calls   INTEGER NOT NULL,     -- a day
  changes INTEGER NOT NULL,     -- a day, of those that do more than read
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What they called, so that code can count. A guest that goes leaves them, as its tickets.
CREATE TABLE guest_calls (
  job     TEXT PRIMARY KEY,
  guest   TEXT NOT NULL,
  changes INTEGER NOT NULL,
  at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX guest_calls_at ON guest_calls (guest, at);
