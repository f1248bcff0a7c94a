-- The lines of a job stand together: a line's number begins with its job's, so that no index has to say whose it is. Every step of a
-- job wrote a page of that index.
CREATE TABLE job_log_lines (
  n     INTEGER PRIMARY KEY, -- the job's number times 2^32, and which of its lines it is
  todo  TEXT NOT NULL DEFAULT '',
  level TEXT NOT NULL,
  line  TEXT NOT NULL,
  at    INTEGER NOT NULL
) STRICT;
INSERT INTO job_log_lines SELECT (job<<32) + row_number() OVER (PARTITION BY job ORDER BY n) AS place, todo, level, line, at FROM job_log ORDER BY place;
DROP TABLE job_log;
ALTER TABLE job_log_lines RENAME TO job_log;

-- There are never many readings: those of a chat are found without an index.
DROP INDEX readings_chat;
