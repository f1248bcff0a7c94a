-- Shelves of the library that follow a folder.
ALTER TABLE documents ADD COLUMN shelved INTEGER NOT NULL DEFAULT 0; -- it is here because of such shelves, and for nothing else

CREATE TABLE shelves (
  id      TEXT PRIMARY KEY,
  title   TEXT NOT NULL,
  path    TEXT NOT NULL UNIQUE,
  rule    TEXT NOT NULL,              -- what becomes of what is gone: ask, drop, keep
  state   TEXT NOT NULL,              -- following, stopped; dropping, leaving: it is being taken away
  created INTEGER NOT NULL,
  looked  INTEGER NOT NULL DEFAULT 0, -- when its folder was gone through last
  other   INTEGER NOT NULL DEFAULT 0  -- files in it of formats that are not read
) STRICT;

CREATE TABLE shelf_files (
  shelf    TEXT NOT NULL REFERENCES shelves (id),
  path     TEXT NOT NULL,             -- from the folder on, with slashes, in NFC
  size     INTEGER NOT NULL,
  mtime    INTEGER NOT NULL,          -- nanoseconds
  state    TEXT NOT NULL,             -- waiting, read, refused, gone, kept, left_out
  slow     INTEGER NOT NULL DEFAULT 0, -- it is pictures, which are read after all else
  document TEXT NOT NULL DEFAULT '',  -- what was read of it last
  failure  TEXT NOT NULL DEFAULT '',  -- why it was refused, or read in part, as JSON
  gone     INTEGER NOT NULL DEFAULT 0, -- when it was found gone
  PRIMARY KEY (shelf, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX shelf_files_state ON shelf_files (shelf, state, slow, path);
CREATE INDEX shelf_files_document ON shelf_files (document) WHERE document<>'';

-- With many thousands of documents those few are not looked for among all of them that are being put in, or came with messages.
CREATE INDEX documents_adding ON documents (hash) WHERE state<>'ready';
CREATE INDEX documents_attached ON documents (id) WHERE kind='attached';
