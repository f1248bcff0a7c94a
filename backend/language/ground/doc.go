// Package ground finds what the customer's own words support. A model may propose values for a service's slots; a value
// counts only when code finds it in the words, and values count together only when the words put them together.
//
// The rules:
//
//   - A value is a span of the words. Find gives every span a slot's grammar reads, in order, in canonical form: money in whole
//     won, a day as 2006-01-02, a time as 15:04, a name without its particle (엄마한테 → 엄마, my mom → mom).
//   - What could be read in two ways is not read at all. The engine asks instead.
//   - What the words take back does not count: 5만원 말고 3만원, 3만원, 아니 5만원으로, not 50,000 but 30,000. Such a finding is Negated.
//   - What is there but cannot be taken has a Problem: a day that does not exist, money that is not won.
//   - Free words (a memo) are opaque: no amount, name or day is ever read out of them.
//   - A number without a unit is an amount only where no amount with a unit stands, or where an amount was asked for.
//   - Tasks are the words' own pairing of values, by clause and order. Where the pairing is open (one amount for two people
//     without 씩 or each, two amounts for one) the values stay out of the tasks.
//   - A value that is said once before the first task (a day) is meant for all of them; any other belongs to its clause.
//   - Pronouns and the customer are nobody's name: 나한테, 걔한테, me.
//
// Every function is pure, and its work is bounded by MaxWords.
package ground
