-- The ended jobs that stay on the board are found without going through those that were taken off it, which are more with every year.
CREATE INDEX jobs_board ON jobs (ended) WHERE ended>0 AND cleared=0 AND called_off<2;
