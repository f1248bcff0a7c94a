// Package compromised is the whole shop with a model that somebody else has in hand. A fake model server, a process of its
// own, makes the attacker's calls whatever it is told, in JSON, natively and in plans; tools and an outside server write down
// what they really did in a file that the shop knows nothing of. Whatever people answer: nothing that matters happens
// without one of them having approved exactly that. And with a model that works, ordinary requests end with one question
// at most.
package compromised
