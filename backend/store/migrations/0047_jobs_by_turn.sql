-- The tickets of a turn are found without going through the others. What is damaged in a row is in none.
CREATE INDEX jobs_turn ON jobs (CASE WHEN json_valid(data) THEN data->>'$.job.turn' END, number);
