-- The person's notes, and the moments at which what a service wrote down comes due.

CREATE TABLE notes (
  n       INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE, -- the call that wrote it, or an id of its own: a step that runs again writes nothing new
  text    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0, -- when it went into the trash; 0: it is there
  changed_by TEXT NOT NULL DEFAULT '' -- the call that changed its text last
) STRICT;
CREATE INDEX notes_live ON notes (updated) WHERE deleted = 0;
CREATE INDEX notes_trash ON notes (deleted) WHERE deleted > 0;

-- The app makes the terms (pairs of syllables); the tokenizer only splits them at spaces.
CREATE VIRTUAL TABLE notes_fts USING fts5 (body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');

CREATE TABLE dues ( -- when the person is told of a record; a row that is gone means never
  record TEXT PRIMARY KEY REFERENCES service_records (id) ON DELETE CASCADE,
  due    INTEGER NOT NULL,
  told   INTEGER NOT NULL DEFAULT 0 -- when it was told; 0: not yet
) STRICT;
CREATE INDEX dues_open ON dues (due) WHERE told = 0;

-- What stands on the to-do list for a day to come is told on its morning.
INSERT INTO dues (record, due)
  SELECT id, unixepoch(json_extract(data, '$.date') || ' 09:00', 'utc') * 1000000 FROM service_records
  WHERE service = 'reminder' AND canceled = 0 AND date(json_extract(data, '$.date')) = json_extract(data, '$.date')
    AND unixepoch(json_extract(data, '$.date') || ' 09:00', 'utc') > unixepoch('now');
