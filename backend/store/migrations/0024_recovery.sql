-- What opening the shop has to know of an unfinished job stands beside its record, so that nothing has to be looked up in it.
ALTER TABLE jobs ADD COLUMN ask TEXT NOT NULL DEFAULT '';         -- the question it is parked on
ALTER TABLE jobs ADD COLUMN tool TEXT NOT NULL DEFAULT '';        -- the tool of the call at hand
ALTER TABLE jobs ADD COLUMN in_line INTEGER NOT NULL DEFAULT 0;   -- since when it stands in line for that tool; 0: it does not
ALTER TABLE jobs ADD COLUMN resumes INTEGER NOT NULL DEFAULT 0;   -- its tool was put aside and goes on from where it was
UPDATE jobs SET ask=coalesce(data->>'$.askId', ''), tool=coalesce(data->>'$.call.tool', ''),
  in_line=CASE WHEN data->>'$.inLine' THEN max(1, coalesce(unixepoch(data->>'$.stood', 'subsec')*1000000, 1)) ELSE 0 END,
  resumes=data->'$.exec.resume' IS NOT NULL
  WHERE ended=0 AND json_valid(data);

CREATE INDEX asks_answered ON asks (job) WHERE state='answered';
