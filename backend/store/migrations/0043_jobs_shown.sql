-- How many jobs the list of all jobs has, so that its first page does not count them. Whatever writes jobs keeps it true.
CREATE TABLE jobs_shown (n INTEGER NOT NULL) STRICT;
INSERT INTO jobs_shown SELECT count(*) FROM jobs WHERE called_off<2;
CREATE TRIGGER jobs_shown_more AFTER INSERT ON jobs WHEN NEW.called_off<2 BEGIN
  UPDATE jobs_shown SET n=n+1;
END;
CREATE TRIGGER jobs_shown_fewer AFTER DELETE ON jobs WHEN OLD.called_off<2 BEGIN
  UPDATE jobs_shown SET n=n-1;
END;
CREATE TRIGGER jobs_shown_others AFTER UPDATE OF called_off ON jobs WHEN (OLD.called_off<2)<>(NEW.called_off<2) BEGIN
  UPDATE jobs_shown SET n=n+(NEW.called_off<2)-(OLD.called_off<2);
END;
