-- What a model once answered to a letter, found again by the hash of letter and model. Bounded: what was not used for the
-- longest time goes first.
CREATE TABLE llm_cache (
  key TEXT PRIMARY KEY,
  model TEXT NOT NULL,
  reply BLOB NOT NULL,
  size INTEGER NOT NULL,
  used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX llm_cache_used ON llm_cache (used);
