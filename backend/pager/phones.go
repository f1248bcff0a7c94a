package pager

import (
	"bytes"
	"cmp"
	"path/filepath"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/pairing"
)

const phonesFile = "pager.json"

// Phone is one that was paired. Seen is when it last asked for something, to the minute.
type Phone struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Paired time.Time `json:"paired" ts_type:"string"`
	Seen   time.Time `json:"seen" ts_type:"string"`
}

type keptPhone struct {
	Phone
	Key []byte `json:"key"` // the hash of what it shows
}

// phones are those that were paired.
type phones struct{ *pairing.Kept[keptPhone] }

func phonesIn(dir string) phones {
	return phones{pairing.KeptIn(filepath.Join(dir, phonesFile), func(p keptPhone) string { return p.ID })}
}

// views lists the phones, as they were paired. Errors: storage errors.
func (ph phones) views() ([]Phone, error) {
	views := []Phone{}
	for _, one := range ph.All() {
		views = append(views, one.Phone)
	}
	return views, ph.Readable()
}

// of gives the phone that shows a key, and notes that it was seen. Errors: pager_unknown, storage errors.
func (ph phones) of(key string, now time.Time) (Phone, error) {
	one, ok := ph.Find(func(one keptPhone) bool { return bytes.Equal(one.Key, pairing.Hashed(key)) })
	if !ok {
		return Phone{}, cmp.Or(ph.Readable(), error(apperr.New(apperr.PagerUnknown)))
	}
	if now.Sub(one.Seen) >= glance {
		one.Seen = now
		_ = ph.Alter(one.ID, func(p *keptPhone) { p.Seen = now }) // it is only shown
	}
	return one.Phone, nil
}

// full says that no phone more can be paired. Errors: too_many_phones, storage errors.
func (ph phones) full() error {
	if len(ph.All()) >= MostPhones {
		return apperr.New(apperr.TooManyPhones, "most", MostPhones)
	}
	return ph.Readable()
}

// add keeps a phone. Errors: storage errors.
func (ph phones) add(p Phone, key string) error { return ph.Set(keptPhone{p, pairing.Hashed(key)}) }

// remove forgets a phone. Errors: not_found, storage errors.
func (ph phones) remove(id string) error {
	was, err := ph.Remove(id)
	if err == nil && !was {
		err = apperr.New(apperr.NotFound, "what", "phone", "id", id)
	}
	return err
}
