-- What is over and old is let go of: an effect is found by its job.

CREATE INDEX effects_job ON effects (job);
