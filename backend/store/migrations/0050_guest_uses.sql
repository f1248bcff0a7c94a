-- What paired shops have asked for, by the name that they give each use of a tool: it has one ticket at most, however often it is asked for.
-- The rows stay when their tickets go, so that a name is never new again.
CREATE TABLE guest_uses (
  guest  TEXT NOT NULL,
  use    TEXT NOT NULL,
  job    TEXT NOT NULL,               -- the ticket that it has, or is to have
  tool   TEXT NOT NULL,
  fence  INTEGER NOT NULL,            -- of the newest lease: above all that were given before
  state  INTEGER NOT NULL,            -- 1: a lease was given, 2: it has its ticket, 3: taken back before
  digest BLOB NOT NULL DEFAULT x'',   -- of what it was called with
  at     INTEGER NOT NULL,
  PRIMARY KEY (guest, use)
) STRICT, WITHOUT ROWID;
CREATE INDEX guest_uses_fence ON guest_uses (fence);
