-- Approvals that hold for more than one call, and the log of what was allowed, refused and done.

ALTER TABLE grants RENAME TO grants_before;
CREATE TABLE grants (
  id      TEXT PRIMARY KEY,
  scope   TEXT NOT NULL, -- chat, always
  chat    TEXT NOT NULL, -- '' with always
  tool    TEXT NOT NULL,
  pattern TEXT NOT NULL DEFAULT '[]', -- []policy.Condition as JSON; none: any arguments
  ask     TEXT NOT NULL DEFAULT '',   -- the question it was given in
  created INTEGER NOT NULL,
  used    INTEGER NOT NULL DEFAULT 0,
  uses    INTEGER NOT NULL DEFAULT 0,
  revoked INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO grants (id, scope, chat, tool, created)
  SELECT 'grant-' || hex(chat) || '-' || tool, 'chat', chat, tool, created FROM grants_before;
DROP TABLE grants_before;
CREATE INDEX grants_tool ON grants (tool) WHERE revoked = 0;

CREATE TABLE audit (
  n       INTEGER PRIMARY KEY AUTOINCREMENT, -- a page asks for what is before a number
  id      TEXT NOT NULL UNIQUE, -- the effect's, where there is one
  at      INTEGER NOT NULL,
  chat    TEXT NOT NULL,
  job     TEXT NOT NULL,
  todo    TEXT NOT NULL,
  tool    TEXT NOT NULL,
  args    TEXT NOT NULL,
  digest  TEXT NOT NULL,
  decided TEXT NOT NULL, -- rule, grant, person, counter, manual
  basis   TEXT NOT NULL DEFAULT '',
  shown   TEXT NOT NULL DEFAULT '{}', -- question, preview and origins, as JSON
  outcome TEXT NOT NULL,
  result  TEXT NOT NULL DEFAULT '',
  code    TEXT NOT NULL DEFAULT '',
  ms      INTEGER NOT NULL DEFAULT 0
) STRICT;
