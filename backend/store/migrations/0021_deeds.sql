-- What code tells of what was really done stands beside a message that a model worded, never in it.

ALTER TABLE messages ADD COLUMN did TEXT NOT NULL DEFAULT '';
