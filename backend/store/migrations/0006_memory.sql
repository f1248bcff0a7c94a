-- Memory: running summaries and remembered facts.

CREATE TABLE memories ( -- what the letters of a chat begin with; it changes only by a cut or by a person's hand
  chat    TEXT PRIMARY KEY,
  summary TEXT NOT NULL DEFAULT '',
  turns   INTEGER NOT NULL DEFAULT 0, -- how many turns the summary stands for
  cut     INTEGER NOT NULL DEFAULT 0, -- the last line of the transcript that the summary stands for
  facts   TEXT NOT NULL DEFAULT '[]', -- ids of the facts that letters carry since the cut, as JSON
  seen    INTEGER NOT NULL DEFAULT 0, -- every message up to this number has its place in the transcript
  version INTEGER NOT NULL DEFAULT 0, -- rises with every change, so that a summary made meanwhile is thrown away
  updated INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE transcript ( -- the order in which messages were first told to an interpreter, which they keep
  n       INTEGER PRIMARY KEY,
  chat    TEXT NOT NULL,
  message TEXT NOT NULL UNIQUE,
  muted   INTEGER NOT NULL DEFAULT 0 -- no letter carries it any more: it taught something that was forgotten
) STRICT;
CREATE INDEX transcript_chat ON transcript (chat, n);

CREATE TABLE facts (
  id      TEXT PRIMARY KEY,
  text    TEXT NOT NULL, -- empty once forgotten: the row stays so that the same event does not teach it again
  topic   TEXT NOT NULL DEFAULT '', -- what only one fact can be about
  source  TEXT NOT NULL, -- customer, ledger, job, person
  chat    TEXT NOT NULL DEFAULT '',
  ref     TEXT NOT NULL DEFAULT '', -- the message, job or ledger entry it comes from
  learned INTEGER NOT NULL
) STRICT;
