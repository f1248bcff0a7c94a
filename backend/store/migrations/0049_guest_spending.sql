-- Two more limits of programs that call the shop, for a day: how many files they may change, and how much money they may move. One that may change
-- things goes on changing files as it did; none moves money before a person says so.

ALTER TABLE guests ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
ALTER TABLE guests ADD COLUMN money INTEGER NOT NULL DEFAULT 0; -- won
UPDATE guests SET files=changes;

-- What a ticket may have changed, written with the intent of it. A ticket that runs again counts once.
ALTER TABLE guest_calls ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
ALTER TABLE guest_calls ADD COLUMN money INTEGER NOT NULL DEFAULT 0;
ALTER TABLE guest_calls ADD COLUMN spent INTEGER NOT NULL DEFAULT 0; -- when; 0: nothing was
