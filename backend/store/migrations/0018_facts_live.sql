-- What is forgotten stays as an empty row, so that it is not learned again. What is known is found without looking through those.
CREATE INDEX facts_live ON facts (source) WHERE text<>'';
CREATE INDEX facts_topic ON facts (topic) WHERE topic<>'' AND text<>'';
