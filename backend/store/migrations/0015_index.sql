-- The app makes the terms, so the index needs a tokenizer that only splits at spaces: it costs a tenth less than one that
-- looks up what each character is. All is indexed anew; library_terms is the app's own function.
DROP TABLE passages_vocab;
DROP TABLE passages_fts;
CREATE VIRTUAL TABLE passages_fts USING fts5 (head, body, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE passages_vocab USING fts5vocab (passages_fts, 'row');

-- Parts of the index are merged a little with each transaction, never all at once: that would keep everybody waiting who
-- writes, for a second and more in a large library.
INSERT INTO passages_fts (passages_fts, rank) VALUES ('automerge', 16), ('crisismerge', 512);

INSERT INTO passages_fts (rowid, head, body)
SELECT p.id, library_terms(d.title || coalesce(' ' || a.title, '')), library_terms(p.text)
FROM passages p CROSS JOIN documents d ON d.id = p.document LEFT JOIN articles a ON a.document = p.document AND a.n = p.article
ORDER BY p.id;
