package store

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
)

// One damaged record must not keep the others from being read. It is moved to a table of its own, where nothing deletes it, and the customer
// who waited for it is told.

// putAside keeps the data of the record that found selects.
func (w *work) putAside(kind, id, chat, found string, why error, at int64) error {
	_, err := w.exec(`INSERT INTO unreadable (kind, id, chat, data, why, at) SELECT ?,?,?,CAST(data AS BLOB),?,? FROM `+found, kind, id, chat, why.Error(), at, id)
	return err
}

// PutAside implements job.Store.
func (s *Store) PutAside(ctx context.Context, step job.Step, why error) error {
	data, err := json.Marshal(step.Run)
	if err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	id, at := step.Run.Job.ID, micros(s.now())
	return s.tx(ctx, true, func(w *work) error {
		if err := w.putAside("job", id, step.Run.Job.Chat, `jobs WHERE id=?`, why, at); err != nil {
			return err
		}
		for _, settle := range []string{
			`UPDATE asks SET state='closed', closed=? WHERE job=? AND state IN ('open','answered')`,
			`UPDATE effects SET state='unknown', settled=? WHERE job=? AND settled=0`,
		} {
			if _, err := w.exec(settle, at, id); err != nil {
				return err
			}
		}
		if _, err := w.exec(`UPDATE audit SET outcome='unknown' WHERE job=? AND outcome='started'`, id); err != nil {
			return err
		}
		return w.saveRun(step, string(data), at)
	})
}

// unreadable says of a record that its data cannot be read.
func unreadable(what, id string, err error) error {
	return apperr.Wrap(err, apperr.RecordUnreadable, "what", what, "id", id)
}

// salvaged is what can be told of a job whose data cannot be read: the columns beside them, and what stands out of the wreck.
func salvaged(j job.Job, data string) job.Job {
	if j.Lang = bilingual.KO; strings.Contains(data, `"lang":"en"`) {
		j.Lang = bilingual.EN
	}
	j.Counter = strings.Contains(data, `"counter":true`)
	return j
}

// wreck is a record that a list came upon and could not read.
type wreck struct {
	chat, data string
	why        error
}

// putCountersAside closes what stands open at the counters of these chats and cannot be read.
func (s *Store) putCountersAside(ctx context.Context, wrecks []wreck) error {
	at := micros(s.now())
	return s.tx(ctx, true, func(w *work) error {
		for _, x := range wrecks {
			if err := w.putAside("counter", x.chat, x.chat, `counters WHERE chat=?`, x.why, at); err != nil {
				return err
			}
			if _, err := w.exec(`DELETE FROM counters WHERE chat=?`, x.chat); err != nil {
				return err
			}
		}
		return nil
	})
}

// decode reads the data of a record.
func decode(data string, into any) error {
	if err := json.Unmarshal([]byte(data), into); err != nil {
		return err
	}
	if sound, ok := into.(interface{ Sound() bool }); ok && !sound.Sound() {
		return errors.New("the record contradicts itself")
	}
	return nil
}
