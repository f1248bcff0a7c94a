-- A folder is a project that carries nothing and never will: a name that keeps chats together in the list. What is folded shows its name alone.
ALTER TABLE projects ADD COLUMN folder INTEGER NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN folded INTEGER NOT NULL DEFAULT 0;
