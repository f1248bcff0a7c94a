// Package crash kills the shop, the real program, at every moment that matters, starts it again, and looks at what
// became of the customer's wishes: nothing may be lost, doubled, stuck or happen unapproved. The program is built with
// the tag "failpoint", which releases do not have.
package crash
