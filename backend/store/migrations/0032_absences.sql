-- When nobody was there: the window was hidden or closed, or the program was not running.
CREATE TABLE absences (
  n      INTEGER PRIMARY KEY,
  since  INTEGER NOT NULL,
  until  INTEGER NOT NULL DEFAULT 0, -- when somebody was there again; 0: nobody is yet
  looked INTEGER NOT NULL DEFAULT 0  -- 1: a person has looked at what happened then
) STRICT;
CREATE INDEX standing_runs_at ON standing_runs (at);
