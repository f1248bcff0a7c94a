-- Less to write with every turn: a rising number needs no page of its own, a message has its place in the transcript in its own
-- row, a turn that is over leaves nothing but its messages, and a job is found by its number without an index.

CREATE TABLE messages_lean (
  n         INTEGER PRIMARY KEY,
  id        TEXT NOT NULL UNIQUE,
  chat      TEXT NOT NULL,
  role      TEXT NOT NULL,
  text      TEXT NOT NULL,
  job       TEXT NOT NULL DEFAULT '',
  code      TEXT NOT NULL DEFAULT '',
  buttons   TEXT NOT NULL DEFAULT '',
  created   INTEGER NOT NULL,
  hidden    INTEGER NOT NULL DEFAULT 0,
  reasoning TEXT NOT NULL DEFAULT '',
  library   TEXT NOT NULL DEFAULT '', -- what an answer rests on and how it was found, as JSON
  did       TEXT NOT NULL DEFAULT '', -- what code tells of what was done, as JSON
  turn      TEXT NOT NULL DEFAULT '', -- the customer's message it belongs to
  place     INTEGER NOT NULL DEFAULT 0, -- its place among what letters of its chat carry, once it has one; it keeps it
  muted     INTEGER NOT NULL DEFAULT 0  -- no letter carries it any more: it taught something that was forgotten
) STRICT;
INSERT INTO messages_lean SELECT m.n, m.id, m.chat, m.role, m.text, m.job, m.code, m.buttons, m.created, m.hidden, m.reasoning, m.library, m.did, m.turn,
  coalesce(t.n, 0), coalesce(t.muted, 0) FROM messages m LEFT JOIN transcript t ON t.message=m.id ORDER BY m.n;
DROP TABLE messages;
DROP TABLE transcript;
ALTER TABLE messages_lean RENAME TO messages;
CREATE INDEX messages_chat ON messages (chat);

-- No message with a smaller number stands behind the cut or has yet to get its place.
ALTER TABLE memories ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
UPDATE memories SET since=coalesce((SELECT min(n) FROM messages m WHERE m.chat=memories.chat AND (m.place=0 OR m.place>memories.cut)),
  (SELECT max(n)+1 FROM messages m WHERE m.chat=memories.chat), 0);
ALTER TABLE memories DROP COLUMN seen;

-- When a conversation last changed, its newest message says.
ALTER TABLE chats DROP COLUMN updated;

CREATE TABLE turns_lean ( -- those that are not over; there are few
  id      TEXT NOT NULL, -- the customer's message
  chat    TEXT NOT NULL,
  next    TEXT NOT NULL DEFAULT '',
  data    TEXT NOT NULL, -- manager.Turn as JSON
  created INTEGER NOT NULL
) STRICT;
INSERT INTO turns_lean SELECT id, chat, next, data, created FROM turns WHERE done=0 ORDER BY created, rowid;
DROP TABLE turns;
ALTER TABLE turns_lean RENAME TO turns;

CREATE TABLE jobs_lean (
  number     INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  chat       TEXT NOT NULL,
  title      TEXT NOT NULL,
  state      TEXT NOT NULL,
  next       TEXT NOT NULL DEFAULT '', -- the node the graph goes on at
  wake_at    INTEGER NOT NULL DEFAULT 0,
  data       TEXT NOT NULL, -- job.Run as JSON
  created    INTEGER NOT NULL,
  ended      INTEGER NOT NULL DEFAULT 0,
  cleared    INTEGER NOT NULL DEFAULT 0, -- taken off the board
  called_off INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO jobs_lean SELECT number, id, chat, title, state, next, wake_at, data, created, ended, cleared, called_off FROM jobs ORDER BY number;
DROP TABLE jobs;
ALTER TABLE jobs_lean RENAME TO jobs;
CREATE TABLE job_log_lean (
  n     INTEGER PRIMARY KEY,
  job   INTEGER NOT NULL, -- its number
  todo  TEXT NOT NULL DEFAULT '',
  level TEXT NOT NULL,
  line  TEXT NOT NULL,
  at    INTEGER NOT NULL
) STRICT;
INSERT INTO job_log_lean SELECT l.n, j.number, l.todo, l.level, l.line, l.at FROM job_log l JOIN jobs j ON j.id=l.job ORDER BY l.n;
DROP TABLE job_log;
ALTER TABLE job_log_lean RENAME TO job_log;
CREATE INDEX job_log_job ON job_log (job);

CREATE INDEX jobs_live ON jobs (ended) WHERE ended=0;
CREATE INDEX jobs_ended ON jobs (ended) WHERE ended>0;
