-- The list of all jobs. What it is narrowed by stands in columns, and for jobs that have ended, of which there are many, in one narrow index
-- in the order of the list: a page of it is found without reading a job's record. A job that goes on is in no part of that index, so
-- its steps write nothing more.
ALTER TABLE jobs ADD COLUMN standing TEXT NOT NULL DEFAULT ''; -- the standing order whose run handed it out
ALTER TABLE jobs ADD COLUMN tools TEXT NOT NULL DEFAULT '';    -- the tools of its steps, each between spaces
UPDATE jobs SET standing=coalesce(data->>'$.job.standing.order', ''), tools=coalesce((SELECT ' ' || group_concat(tool, ' ') || ' ' FROM (
  SELECT t.value->>'$.tool' AS tool FROM json_each(data, '$.job.todos') t WHERE coalesce(t.value->>'$.tool', '')<>''
  UNION SELECT u.value FROM json_each(data, '$.job.todos') t, json_each(t.value, '$.used') u)), '') WHERE json_valid(data);
CREATE INDEX jobs_list ON jobs (number, state, created, chat, standing, tools, called_off, title, ended) WHERE ended>0;
