package ground

import (
	"maps"
	"slices"

	"agentchat/backend/lazyregexp"
)

// Task is what the words say of one task: the slots they fill, by name.
type Task map[string]Finding

// Tasks gives the words' own tasks in order, each with the values that belong together: 엄마한테 만원, 용걸이한테 5만원 보내줘 is
// {엄마, 10000} and {용걸이, 50000}. A value that could belong to several tasks, or one of several that could be meant, is in
// none. Words that name nothing give no task.
func (s Slots) Tasks(r Request) []Task {
	p := parse(s, r)
	for i := range p.items {
		p.items[i].Finding = p.findings[i]
	}
	if len(s.of(Name)) == 0 {
		return p.plainTasks()
	}
	return p.namedTasks()
}

// Holds tells whether the task has all these values.
func (t Task) Holds(values map[string]any) bool {
	for name, v := range values {
		if f, ok := t[name]; !ok || !same(f, v) {
			return false
		}
	}
	return true
}

// unit is one task while it is put together: somebody, or several people who get the same, and an amount.
type unit struct {
	names    []int // items
	amount   int   // item, -1 for none
	from, to int
	first    Kind // what was said first
}

var between = lazyregexp.New(`^(?:이랑|랑|하고|와|과|한테|에게|께|만|도|는|\s|,|&|/|및|and|그리고|to|my|our|the)*$`)

// namedTasks pairs people and amounts.
func (p *parsed) namedTasks() []Task {
	units := p.units()
	if len(units) == 0 || p.people(units) < 2 {
		return p.one()
	}
	p.settle(units)
	tasks, owner := []Task{}, [][]int{}
	for _, u := range units {
		var mine []int
		for _, n := range u.names {
			t := Task{p.items[n].Slot: p.items[n].Finding}
			if u.amount >= 0 {
				t[p.items[u.amount].Slot] = p.items[u.amount].Finding
			}
			mine = append(mine, len(tasks))
			tasks = append(tasks, t)
		}
		owner = append(owner, mine)
	}
	p.attach(units, owner, tasks)
	return tasks
}

// people counts who is named, the same person once unless with another amount.
func (p *parsed) people(units []unit) int {
	n, keys, amounts := 0, map[string]bool{}, 0
	for _, u := range units {
		if u.amount >= 0 {
			amounts++
		}
		for _, i := range u.names {
			n++
			keys[Key(p.items[i].Value.(string))] = true
		}
	}
	if len(keys) == 1 && amounts < 2 {
		return 1
	}
	return n
}

// units cuts the sequence of people and amounts where one of them comes again.
func (p *parsed) units() []unit {
	var out []unit
	lastName := -1
	for i := range p.items {
		it := &p.items[i]
		if !it.Counts() || it.Kind != Name && it.Kind != Money {
			continue
		}
		k := len(out) - 1
		switch {
		case it.Kind == Name && k >= 0 && lastName >= 0 && len(out[k].names) > 0 && out[k].to == p.items[lastName].to && between.MatchString(p.s[p.items[lastName].to:it.from]):
			out[k].names = append(out[k].names, i)
		case it.Kind == Name && k >= 0 && len(out[k].names) == 0:
			out[k].names = []int{i}
		case it.Kind == Money && k >= 0 && out[k].amount < 0:
			out[k].amount = i
		case it.Kind == Name:
			out = append(out, unit{names: []int{i}, amount: -1, from: it.from, first: Name})
		default:
			out = append(out, unit{amount: i, from: it.from, first: Money})
		}
		out[len(out)-1].to = it.to
		if it.Kind == Name {
			lastName = i
		}
	}
	return out
}

// settle takes amounts away where it is open whose they are.
func (p *parsed) settle(units []unit) {
	if p.everybody(units) {
		return
	}
	for i := range units {
		u := &units[i]
		if len(u.names) == 0 { // an amount for nobody: it could be its neighbour's
			u.amount = -1
			if i > 0 {
				units[i-1].amount = -1
			} else if i+1 < len(units) {
				units[i+1].amount = -1
			}
			continue
		}
		if u.amount >= 0 && len(u.names) > 1 && (!p.items[u.amount].each || p.items[u.amount].total) {
			u.amount = -1
		}
	}
	for i := 1; i < len(units); i++ {
		a, b := &units[i-1], &units[i]
		if a.amount >= 0 && b.amount >= 0 && a.first != b.first && p.clauseAt(a) == p.clauseAt(b) {
			a.amount, b.amount = -1, -1 // 엄마 만원 2만원 아빠
		}
	}
}

// clauseAt is the clause a unit's last word lies in.
func (p *parsed) clauseAt(u *unit) int {
	last := u.amount
	if len(u.names) > 0 {
		last = max(last, u.names[len(u.names)-1])
	}
	return p.items[last].clause
}

// everybody gives the only amount to all when the words say each.
func (p *parsed) everybody(units []unit) bool {
	only := -1
	for _, u := range units {
		if u.amount >= 0 {
			if only >= 0 {
				return false
			}
			only = u.amount
		}
	}
	if only < 0 || !p.items[only].each || p.items[only].total {
		return false
	}
	for i := range units {
		units[i].amount = only
	}
	return true
}

// attach gives each further value to its task: one said before all tasks to every one, any other to the task of its clause.
func (p *parsed) attach(units []unit, owner [][]int, tasks []Task) {
	for i := range p.items {
		it := &p.items[i]
		if !it.Counts() || it.Kind == Name || it.Kind == Money {
			continue
		}
		var to []int
		if it.from < units[0].from && it.Kind != Text && len(p.values(it.Slot)) == 1 {
			for k := range tasks {
				to = append(to, k)
			}
		} else {
			to = owner[p.unitFor(units, it)]
		}
		for _, k := range to {
			if old, ok := tasks[k][it.Slot]; ok && old.Value != it.Value {
				delete(tasks[k], it.Slot)
				continue
			}
			tasks[k][it.Slot] = it.Finding
		}
	}
}

// unitFor is the unit a value belongs to: the one it stands in, the next that begins in its clause, or the one before.
func (p *parsed) unitFor(units []unit, it *item) int {
	for i, u := range units {
		switch {
		case it.from < u.from && (i == 0 || p.items[p.firstOf(u)].clause == it.clause && p.clauseAt(&units[i-1]) != it.clause):
			return i
		case it.from < u.from:
			return i - 1
		case it.from < u.to:
			return i
		}
	}
	return len(units) - 1
}

func (p *parsed) firstOf(u unit) int {
	if len(u.names) == 0 || u.amount >= 0 && u.amount < u.names[0] {
		return u.amount
	}
	return u.names[0]
}

// values are the different values of a slot that count.
func (p *parsed) values(name string) []Finding {
	var out []Finding
	for _, it := range p.items {
		if it.Slot == name && it.Counts() && !slices.ContainsFunc(out, func(f Finding) bool { return f.Value == it.Value }) {
			out = append(out, it.Finding)
		}
	}
	return out
}

// one is the only task: of each slot the value, if just one counts.
func (p *parsed) one() []Task {
	t := Task{}
	for _, sl := range p.slots {
		if v := p.values(sl.Name); len(v) == 1 {
			t[sl.Name] = v[0]
		}
	}
	if len(t) == 0 {
		return nil
	}
	return []Task{t}
}

// plainTasks cuts the words of a service without people where a value comes again: 내일 3시에 대회의실, 4시에 소회의실. Days said once
// before are meant for all. A list of single values is no list of tasks.
func (p *parsed) plainTasks() []Task {
	several := false
	for _, sl := range p.slots {
		several = several || len(p.values(sl.Name)) > 1
	}
	if !several {
		return p.one()
	}
	tasks := []Task{{}}
	for _, it := range p.items {
		if !it.Counts() {
			continue
		}
		last := tasks[len(tasks)-1]
		if old, ok := last[it.Slot]; ok && old.Value != it.Value {
			last = Task{}
			tasks = append(tasks, last)
		}
		last[it.Slot] = it.Finding
	}
	shared := Task{}
	for name, f := range tasks[0] {
		if f.Kind == Date && len(p.values(name)) == 1 {
			shared[name] = f
		}
	}
	for i, t := range tasks {
		if len(t) < 2 {
			return p.one()
		}
		own := maps.Clone(shared)
		maps.Copy(own, t)
		tasks[i] = own
	}
	return tasks
}
