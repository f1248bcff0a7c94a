-- A chat that was deleted can be taken back for a while. chats.deleted says since when it is gone (1: since before this was kept),
-- messages.hidden is 2 for what went with its chat, and jobs.called_off 3 for what had ended in it.

CREATE INDEX messages_away ON messages (chat) WHERE hidden = 2;
