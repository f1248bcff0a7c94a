-- What a person consented to of an outside (MCP) server: exactly these tools of exactly this program or address.

CREATE TABLE mcp_consents (
  server TEXT PRIMARY KEY,
  source TEXT NOT NULL,    -- the hash of what is started or called
  tools  TEXT NOT NULL,    -- the manuals that were shown, as JSON
  at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
