-- A conversation can be bent: a request that is said or answered anew keeps what it was as a version, with all that followed it.

CREATE TABLE versions (
  request TEXT PRIMARY KEY, -- the customer's message
  first   TEXT NOT NULL     -- the first version of it, which names them all
) STRICT, WITHOUT ROWID;
CREATE INDEX versions_first ON versions (first);

-- The version with which a message went out of sight (hidden is 3 then), and with which it comes back.
ALTER TABLE messages ADD COLUMN under TEXT NOT NULL DEFAULT '';
CREATE INDEX messages_under ON messages (under) WHERE under<>'';

-- Conversations are kept in order. What a project carries holds in every chat of it; one that carries nothing is a folder.
CREATE TABLE projects (
  id           TEXT PRIMARY KEY,
  title        TEXT NOT NULL,
  instructions TEXT NOT NULL DEFAULT '',
  model        TEXT NOT NULL DEFAULT '',   -- provider/model; '': whichever is on duty
  folders      TEXT NOT NULL DEFAULT '[]', -- opened folders that its chats see, as JSON; none: all
  shelves      TEXT NOT NULL DEFAULT '[]', -- ids of the shelves that its chats are answered from; none: all
  created      INTEGER NOT NULL
) STRICT;
ALTER TABLE facts ADD COLUMN project TEXT NOT NULL DEFAULT ''; -- whose chats alone are told of it
ALTER TABLE chats ADD COLUMN project TEXT NOT NULL DEFAULT '';
ALTER TABLE chats ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN named INTEGER NOT NULL DEFAULT 0; -- whose its title is: 0 code's, 1 a model's, 2 a person's
ALTER TABLE chats ADD COLUMN instructions TEXT NOT NULL DEFAULT '';
ALTER TABLE chats ADD COLUMN model TEXT NOT NULL DEFAULT '';

-- Titles of before are whoever's: nobody changes them.
UPDATE chats SET named=2 WHERE title<>'';

CREATE TABLE drafts ( -- what was typed and not sent yet
  chat TEXT PRIMARY KEY,
  data TEXT NOT NULL -- as the front wrote it
) STRICT, WITHOUT ROWID;
