-- What an answer from the library rests on and how it was found, as JSON; '' for every other message.
ALTER TABLE messages ADD COLUMN library TEXT NOT NULL DEFAULT '';
