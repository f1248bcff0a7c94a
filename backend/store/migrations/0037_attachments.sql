-- Files that people hand in with their messages. Their contents lie beside the ledger, each under its hash; what is read out of them
-- is a document of the kind 'attached'.
CREATE TABLE attachments (
  id     TEXT PRIMARY KEY,  -- SHA-256 of the content, in hex
  kind   TEXT NOT NULL,
  format TEXT NOT NULL,
  bytes  INTEGER NOT NULL,
  pages  INTEGER NOT NULL,
  width  INTEGER NOT NULL,  -- of a picture, in pixels
  height INTEGER NOT NULL,
  held   INTEGER NOT NULL   -- when it was handed in, or said, last
) STRICT, WITHOUT ROWID;

ALTER TABLE messages ADD COLUMN attachments TEXT NOT NULL DEFAULT ''; -- those that it came with, as JSON
CREATE INDEX messages_attached ON messages (chat) WHERE attachments <> '';
