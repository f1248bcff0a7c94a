-- What passages mean, as an embedding model sees it: float32, little-endian. A vector of no bytes says that the model gave
-- one for the passage that could not be used. Those of other models stay until they are replaced, so that a model that
-- comes back finds its own.
CREATE TABLE embedders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE vectors (
  passage INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  vector BLOB NOT NULL
);
CREATE INDEX vectors_embedder ON vectors (embedder);

-- Fewer, larger merges of the index while a document is put in: a fifth less work. Finding is as fast.
INSERT INTO passages_fts (passages_fts, rank) VALUES ('automerge', 16);
