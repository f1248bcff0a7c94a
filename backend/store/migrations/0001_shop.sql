-- Conversations, turns, jobs, questions, effects: the ledger of the shop.

CREATE TABLE chats (
  id      TEXT PRIMARY KEY,
  title   TEXT NOT NULL,
  created INTEGER NOT NULL, -- unix microseconds, like every time in this file
  updated INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE messages (
  n       INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  chat    TEXT NOT NULL,
  role    TEXT NOT NULL,
  text    TEXT NOT NULL,
  job     TEXT NOT NULL DEFAULT '',
  code    TEXT NOT NULL DEFAULT '',
  buttons TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,
  hidden  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX messages_chat ON messages (chat, n);

CREATE TABLE turns (
  id      TEXT PRIMARY KEY, -- the customer's message
  chat    TEXT NOT NULL,
  next    TEXT NOT NULL DEFAULT '',
  done    INTEGER NOT NULL DEFAULT 0,
  data    TEXT NOT NULL, -- manager.Turn as JSON
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX turns_pending ON turns (created) WHERE done = 0;

CREATE TABLE jobs (
  id      TEXT PRIMARY KEY,
  number  INTEGER NOT NULL UNIQUE,
  chat    TEXT NOT NULL,
  title   TEXT NOT NULL,
  state   TEXT NOT NULL,
  next    TEXT NOT NULL DEFAULT '', -- the node the graph goes on at
  wake_at INTEGER NOT NULL DEFAULT 0,
  data    TEXT NOT NULL, -- job.Run as JSON
  created INTEGER NOT NULL,
  ended   INTEGER NOT NULL DEFAULT 0,
  cleared INTEGER NOT NULL DEFAULT 0 -- taken off the board
) STRICT;
CREATE INDEX jobs_live ON jobs (number) WHERE ended = 0;
CREATE INDEX jobs_ended ON jobs (ended) WHERE ended > 0;

CREATE TABLE journal ( -- one row per finished node of any graph
  n     INTEGER PRIMARY KEY AUTOINCREMENT,
  run   TEXT NOT NULL,
  graph TEXT NOT NULL,
  node  TEXT NOT NULL,
  next  TEXT NOT NULL,
  at    INTEGER NOT NULL
) STRICT;
CREATE INDEX journal_run ON journal (run, n);

CREATE TABLE job_log (
  n     INTEGER PRIMARY KEY AUTOINCREMENT,
  job   TEXT NOT NULL,
  todo  TEXT NOT NULL DEFAULT '',
  level TEXT NOT NULL,
  line  TEXT NOT NULL,
  at    INTEGER NOT NULL
) STRICT;
CREATE INDEX job_log_job ON job_log (job, n);

CREATE TABLE asks (
  id     TEXT PRIMARY KEY,
  job    TEXT NOT NULL DEFAULT '',
  chat   TEXT NOT NULL DEFAULT '',
  kind   TEXT NOT NULL,
  state  TEXT NOT NULL,
  data   TEXT NOT NULL, -- ask.Ask as JSON
  answer TEXT NOT NULL DEFAULT '', -- ask.Answer as JSON
  opened INTEGER NOT NULL,
  closed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX asks_open ON asks (opened) WHERE state = 'open';
CREATE INDEX asks_job ON asks (job);

CREATE TABLE effects ( -- the effect ledger: intent first, result after
  id      TEXT PRIMARY KEY,
  job     TEXT NOT NULL,
  todo    TEXT NOT NULL,
  tool    TEXT NOT NULL,
  digest  TEXT NOT NULL,
  args    TEXT NOT NULL,
  state   TEXT NOT NULL, -- intent, done, failed
  result  TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX effects_open ON effects (created) WHERE state = 'intent';

CREATE TABLE grants (
  chat    TEXT NOT NULL,
  tool    TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (chat, tool)
) STRICT;
