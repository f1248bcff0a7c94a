-- Service counters: sessions with their stage, slots and queue.

CREATE TABLE counters ( -- what stands open at a chat's counter; a row that is gone means nothing does
  chat    TEXT PRIMARY KEY,
  data    TEXT NOT NULL, -- service.Counter as JSON
  updated INTEGER NOT NULL
) STRICT;

CREATE TABLE service_records ( -- what services made of a manifest alone keep
  n        INTEGER PRIMARY KEY AUTOINCREMENT,
  id       TEXT NOT NULL UNIQUE, -- the todo that wrote it: a step that runs again writes nothing new
  service  TEXT NOT NULL,
  chat     TEXT NOT NULL,
  data     TEXT NOT NULL, -- the values as canonical JSON
  unique_by TEXT NOT NULL DEFAULT '', -- what no other live record of the service may have too; '' : nothing
  created  INTEGER NOT NULL,
  canceled INTEGER NOT NULL DEFAULT 0,
  canceled_by TEXT NOT NULL DEFAULT '' -- the todo that canceled it
) STRICT;
CREATE INDEX service_records_live ON service_records (service, n) WHERE canceled = 0;
CREATE UNIQUE INDEX service_records_unique ON service_records (service, unique_by) WHERE canceled = 0 AND unique_by <> '';
