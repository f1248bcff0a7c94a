-- What could not be read of a record, kept as it was when it was put aside.
CREATE TABLE unreadable (
  n    INTEGER PRIMARY KEY,
  kind TEXT NOT NULL, -- job, counter
  id   TEXT NOT NULL,
  chat TEXT NOT NULL DEFAULT '',
  data BLOB NOT NULL,
  why  TEXT NOT NULL,
  at   INTEGER NOT NULL
) STRICT;

-- Jobs that ended while a use of a tool had no result left it open in the books: nothing more will be heard of it.
UPDATE effects SET state='unknown', settled=(SELECT ended FROM jobs WHERE jobs.id=effects.job)
  WHERE settled=0 AND job IN (SELECT id FROM jobs WHERE ended>0);
UPDATE audit SET outcome='unknown' WHERE outcome='started' AND job IN (SELECT id FROM jobs WHERE ended>0);
