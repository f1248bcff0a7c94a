-- What a person called off stays called off whenever the program ends: 1, the work was stopped; 2, what asked for it is gone
-- too, and nobody is told of it. A reply and a report name the customer's message they belong to.

ALTER TABLE jobs ADD COLUMN called_off INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN turn TEXT NOT NULL DEFAULT '';
