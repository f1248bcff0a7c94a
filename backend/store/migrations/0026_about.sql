-- The document of the library that a customer's message asks about, as JSON; '' for every other message.
ALTER TABLE messages ADD COLUMN about TEXT NOT NULL DEFAULT '';
