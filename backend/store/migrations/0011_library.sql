-- The person's documents. A document is there for others once its state is 'ready'; what was being put in when the program
-- died is taken out at the next try.
CREATE TABLE documents (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  path TEXT NOT NULL,
  format TEXT NOT NULL,
  kind TEXT NOT NULL,
  hash TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  articles INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  added INTEGER NOT NULL,
  state TEXT NOT NULL
);
CREATE UNIQUE INDEX documents_hash ON documents (hash) WHERE state = 'ready';

CREATE TABLE articles (
  document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  part TEXT NOT NULL,
  chapter TEXT NOT NULL,
  number TEXT NOT NULL,
  title TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  page INTEGER NOT NULL,
  start INTEGER NOT NULL,
  stop INTEGER NOT NULL,
  PRIMARY KEY (document, n)
) WITHOUT ROWID;
CREATE INDEX articles_number ON articles (number) WHERE number <> '';

-- Passages in the order of their ids make up the whole text of a document.
CREATE TABLE passages (
  id INTEGER PRIMARY KEY,
  document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  article INTEGER NOT NULL,
  page INTEGER NOT NULL,
  start INTEGER NOT NULL,
  text TEXT NOT NULL,
  terms INTEGER NOT NULL
);
CREATE INDEX passages_document ON passages (document, start);

-- The app makes the terms (pairs of syllables); the tokenizer only splits them at spaces.
CREATE VIRTUAL TABLE passages_fts USING fts5 (head, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');
CREATE VIRTUAL TABLE passages_vocab USING fts5vocab (passages_fts, 'row');
CREATE TABLE library_size (one INTEGER PRIMARY KEY CHECK (one = 1), passages INTEGER NOT NULL, terms INTEGER NOT NULL);
INSERT INTO library_size VALUES (1, 0, 0);

-- Imports that are not over, file by file.
CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  created INTEGER NOT NULL
);
CREATE TABLE import_files (
  import TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  path TEXT NOT NULL,
  state TEXT NOT NULL,
  document TEXT NOT NULL,
  failure TEXT NOT NULL,
  PRIMARY KEY (import, n)
) WITHOUT ROWID;
