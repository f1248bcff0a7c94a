-- The practice bank: accounts, a double-entry ledger, an address book, scheduled transfers. Amounts are whole won.

CREATE TABLE bank_accounts (
  id      TEXT PRIMARY KEY,
  title   TEXT NOT NULL,
  kind    TEXT NOT NULL CHECK (kind IN ('own', 'payee', 'outside')),
  -- The sum of the account's entries, kept by a trigger. Only the world outside may owe money.
  balance INTEGER NOT NULL DEFAULT 0 CHECK (balance >= 0 OR kind = 'outside'),
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE bank_payees ( -- the address book; a payee who is taken out leaves the account behind
  id        TEXT PRIMARY KEY REFERENCES bank_accounts (id),
  name      TEXT NOT NULL,
  bank      TEXT NOT NULL DEFAULT '',
  number    TEXT NOT NULL DEFAULT '',
  favourite INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE bank_names ( -- every name a payee goes by
  key   TEXT PRIMARY KEY, -- as names are compared
  payee TEXT NOT NULL REFERENCES bank_payees (id) ON DELETE CASCADE,
  name  TEXT NOT NULL     -- as it was written
) STRICT;
CREATE INDEX bank_names_payee ON bank_names (payee);

CREATE TABLE bank_transfers (
  n       INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  key     TEXT NOT NULL UNIQUE, -- what makes an order happen once: the step of the job that carries it out
  digest  TEXT NOT NULL,        -- of the order: the same key never means another
  source  TEXT NOT NULL REFERENCES bank_accounts (id),
  dest    TEXT NOT NULL REFERENCES bank_accounts (id),
  target  TEXT NOT NULL,        -- what the other side was called then
  amount  INTEGER NOT NULL CHECK (amount > 0),
  memo    TEXT NOT NULL DEFAULT '',
  due     TEXT NOT NULL DEFAULT '', -- YYYY-MM-DD it waits for; '' : none
  state   TEXT NOT NULL CHECK (state IN ('scheduled', 'done', 'canceled', 'failed')),
  code    TEXT NOT NULL DEFAULT '', -- why it failed
  reason  TEXT NOT NULL DEFAULT '', -- the same as a sentence
  chat    TEXT NOT NULL DEFAULT '',
  job     TEXT NOT NULL DEFAULT '',
  lang    TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,
  known   INTEGER NOT NULL,           -- own balance the customer was told when it was ordered
  settled INTEGER NOT NULL DEFAULT 0, -- when it was done, canceled or failed
  day     TEXT NOT NULL DEFAULT '',   -- the customer's own day of that moment
  place   INTEGER UNIQUE,             -- its line in the statement; none while it is scheduled
  balance INTEGER NOT NULL DEFAULT 0  -- own balance after it
) STRICT;
CREATE INDEX bank_transfers_day ON bank_transfers (day, source, amount) WHERE state = 'done';
CREATE INDEX bank_transfers_due ON bank_transfers (due, n) WHERE state = 'scheduled';

CREATE TABLE bank_entries (
  transfer TEXT NOT NULL REFERENCES bank_transfers (id),
  account  TEXT NOT NULL REFERENCES bank_accounts (id),
  amount   INTEGER NOT NULL CHECK (amount <> 0), -- what comes in is positive; a transfer's entries sum to zero
  PRIMARY KEY (transfer, account) -- so no transfer can be entered twice
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_entries_account ON bank_entries (account);

CREATE TRIGGER bank_entries_count AFTER INSERT ON bank_entries BEGIN
  UPDATE bank_accounts SET balance = balance + new.amount WHERE id = new.account;
END;
CREATE TRIGGER bank_entries_stay BEFORE UPDATE ON bank_entries BEGIN
  SELECT raise(ABORT, 'entries are never changed');
END;
CREATE TRIGGER bank_entries_keep BEFORE DELETE ON bank_entries BEGIN
  SELECT raise(ABORT, 'entries are never deleted');
END;
