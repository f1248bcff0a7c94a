-- Less to write with every step. The state of a run and the node it goes on at stand in its own row; what nobody reads
-- is kept no more, and a rising number needs no page of its own.

DROP TABLE journal;

CREATE TABLE job_log_lean (
  n     INTEGER PRIMARY KEY,
  job   TEXT NOT NULL,
  todo  TEXT NOT NULL DEFAULT '',
  level TEXT NOT NULL,
  line  TEXT NOT NULL,
  at    INTEGER NOT NULL
) STRICT;
INSERT INTO job_log_lean SELECT n, job, todo, level, line, at FROM job_log;
DROP TABLE job_log;
ALTER TABLE job_log_lean RENAME TO job_log;
CREATE INDEX job_log_job ON job_log (job);

-- By what right an effect was allowed: '' (policy), ask, grant or order.
ALTER TABLE effects ADD COLUMN warrant TEXT NOT NULL DEFAULT '';
