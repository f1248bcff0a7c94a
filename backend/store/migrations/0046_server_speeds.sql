-- How fast a model server reads and writes with a model, in tokens a second, as measured by code over so many requests.
CREATE TABLE server_speeds (
  server   TEXT NOT NULL,
  model    TEXT NOT NULL,
  reads    REAL NOT NULL,
  writes   REAL NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (server, model)
) STRICT, WITHOUT ROWID;
