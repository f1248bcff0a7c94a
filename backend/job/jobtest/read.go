package jobtest

import (
	"encoding/json"

	"agentchat/backend/event"
)

// Payloads gives the payloads of one kind, in order, for one job ("" for all).
func Payloads[P event.Payload](f *Floor, jobID string) []P {
	f.T.Helper()
	var zero P
	var list []P
	for _, e := range f.Envelopes() {
		if e.Kind != zero.EventKind() || jobID != "" && e.Job != jobID {
			continue
		}
		var p P
		f.must(json.Unmarshal(e.Data, &p))
		list = append(list, p)
	}
	return list
}

// Moves gives the states a job went through as events told them, the first included.
func (f *Floor) Moves(id string) []string {
	f.T.Helper()
	var states []string
	for _, m := range Payloads[event.JobState](f, id) {
		if len(states) > 0 && states[len(states)-1] != m.From {
			f.T.Errorf("job %s: told to be %s, then to leave %s", id, states[len(states)-1], m.From)
		}
		if len(states) == 0 {
			states = append(states, m.From)
		}
		states = append(states, m.To)
	}
	return states
}
