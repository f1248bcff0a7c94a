-- Messages are found by any piece of their words (language/words.Grams). The index only says which may hold what is looked for, so it keeps
-- no places and no texts; it is written with the message, in the same transaction, whoever writes it.
CREATE VIRTUAL TABLE messages_fts USING fts5 (pieces, content = '', contentless_delete = 1, detail = 'none', tokenize = 'ascii');
INSERT INTO messages_fts (rowid, pieces) SELECT n, text_pieces(text) FROM messages;
CREATE TRIGGER messages_found AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts (rowid, pieces) VALUES (new.n, text_pieces(new.text));
END;
CREATE TRIGGER messages_lost AFTER DELETE ON messages BEGIN
  DELETE FROM messages_fts WHERE rowid=old.n;
END;
