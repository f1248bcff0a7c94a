-- What was told and what money moved while nobody was there is looked up by its moment.
CREATE INDEX dues_told ON dues (told) WHERE told > 0;
CREATE INDEX bank_transfers_settled ON bank_transfers (settled) WHERE settled > 0 AND due <> '';
