package service

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
)

// mostNamed is how many records a sentence names.
const mostNamed = 6

// text is a value of a record that is text.
func (r Record) text(key string) (s string) {
	var values map[string]json.RawMessage
	if json.Unmarshal(r.Values, &values) == nil {
		_ = json.Unmarshal(values[key], &s) // a value that is no text says nothing here
	}
	return s
}

// Names gives what those of some records are called that a name may mean, each name once.
func Names(list []Record, key, name string) (names []string) {
	for _, r := range called(list, key, name) {
		if own := r.text(key); !slices.Contains(names, own) {
			names = append(names, own)
		}
	}
	return names
}

// called are the records that a name may mean: those called exactly so, or else those whose name has all its words, or else those all of
// whose words are in it (the dentist appointment: dentist).
func called(list []Record, key, name string) (found []Record) {
	best, words := 0, nameWords(name)
	for _, r := range list {
		own := nameWords(r.text(key))
		how := 0
		switch {
		case len(own) == 0 || len(words) == 0:
		case wordlist.Compact(r.text(key)) == wordlist.Compact(name):
			how = 3
		case holdsAll(own, words):
			how = 2
		case holdsAll(words, own):
			how = 1
		}
		if how == 0 || how < best {
			continue
		}
		if how > best {
			best, found = how, nil
		}
		found = append(found, r)
	}
	return found
}

// nameWords are the words of a name as they are compared, without particles.
func nameWords(name string) (list []string) {
	for _, w := range phrase.Words(name) {
		stem, _ := phrase.Stem(w.Lower)
		list = append(list, stem)
	}
	return list
}

// holdsAll tells whether all words stand among others. Korean ones may be the beginning of one: 치과 in 치과진료.
func holdsAll(all, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(all, func(have string) bool {
			return have == w || strings.ContainsFunc(w, phrase.Hangul) && len(w) > len("가") && strings.HasPrefix(have, w)
		})
	})
}

// theOne is the record that a name means, of those on a day where one is given. Of several that are called the same it is the next to come,
// and of those without a day the newest. Errors: nothing_kept, record_missing, record_unclear.
func theOne(ctx context.Context, records Records, service, key, name, date string, now time.Time) (r Record, err error) {
	list, err := records.ListRecords(ctx, service, listed)
	if err != nil {
		return r, err
	}
	return among(list, key, name, date, now)
}

func among(list []Record, key, name, date string, now time.Time) (r Record, err error) {
	if len(list) == 0 {
		return r, apperr.New(apperr.NothingKept)
	}
	found := called(list, key, name)
	if on := slices.DeleteFunc(slices.Clone(found), func(r Record) bool { return r.text("date") != date }); date != "" {
		found = on
	}
	if len(found) == 0 {
		return r, apperr.New(apperr.RecordMissing, "name", name, "list", namesOf(list, key))
	}
	if slices.ContainsFunc(found, func(r Record) bool { return wordlist.Compact(r.text(key)) != wordlist.Compact(found[0].text(key)) }) {
		return r, apperr.New(apperr.RecordUnclear, "name", name, "list", namesOf(found, key))
	}
	today := now.Format(time.DateOnly)
	return slices.MinFunc(found, func(a, b Record) int {
		rank := func(r Record) int {
			switch date := r.text("date"); {
			case date >= today:
				return 0
			case date == "":
				return 1
			}
			return 2
		}
		if c := cmp.Compare(rank(a), rank(b)); c != 0 {
			return c
		}
		if rank(a) == 0 {
			if c := cmp.Compare(a.text("date")+a.text("time"), b.text("date")+b.text("time")); c != 0 {
				return c
			}
		}
		return b.Created.Compare(a.Created)
	}), nil
}

// namesOf names the newest of some records, each name once.
func namesOf(list []Record, key string) string {
	var names []string
	for _, r := range slices.Backward(list) {
		if name := r.text(key); name != "" && !slices.Contains(names, name) && len(names) < mostNamed {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
