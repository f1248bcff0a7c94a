-- What uses did to rows of the ledger, kept in the transactions that did it, so that it can be taken back.
CREATE TABLE undo_log (
  n    INTEGER PRIMARY KEY,
  use  TEXT NOT NULL,
  chat TEXT NOT NULL DEFAULT '',
  tbl  TEXT NOT NULL,
  key  TEXT NOT NULL, -- the values of the row's key, as a JSON list
  was  TEXT,          -- the row as JSON; NULL: there was none
  now  TEXT,          -- and what it became; NULL: it went
  at   INTEGER NOT NULL
) STRICT;
CREATE INDEX undo_log_use ON undo_log (use, n);
CREATE INDEX undo_log_age ON undo_log (at);
CREATE INDEX undo_log_row ON undo_log (tbl, key);
CREATE INDEX undo_log_chat ON undo_log (chat, n) WHERE use GLOB 'turn:*';
CREATE INDEX documents_removed ON documents (id) WHERE state = 'removed';
