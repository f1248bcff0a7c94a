package filing

import (
	"context"
	"path/filepath"

	"agentchat/backend/folders"
)

// Seen is what a step would come upon now.
type Seen struct {
	Reason  Reason // why it could not be done; "": it could
	Drifted bool   // it could, but what it is about has changed
}

// Look says beforehand what steps would come upon now, each after those before it.
func (h Hands) Look(ctx context.Context, steps []Step) []Seen {
	w := work{Hands: h, ctx: ctx, seats: map[string]*folders.At{}}
	defer w.close()
	made := map[string]bool{}
	out := make([]Seen, len(steps))
	for i, s := range steps {
		if s.Op == Make {
			made[s.Path] = true
		}
		out[i] = w.look(s, made)
	}
	return out
}

// look says it of one step; made are the folders that steps before it make.
func (w *work) look(s Step, made map[string]bool) (seen Seen) {
	if s.Op != Make && s.Op != Restore {
		dir, why := w.seat(filepath.Dir(s.Path))
		if why != "" {
			return Seen{Reason: why}
		}
		is := at(dir.Dir, filepath.Base(s.Path))
		if why := s.fits(is); why != "" {
			return Seen{Reason: why}
		}
		seen.Drifted = !s.Was.alike(is)
	}
	if s.Op == Write {
		if _, err := w.Journal.Content(w.ctx, s.Content); err != nil {
			seen.Reason = NotKept
		}
		return seen
	}
	if made[filepath.Dir(s.End())] {
		return seen
	}
	_, _, there, why := w.place(s.End())
	seen.Reason = why
	if why == "" && there != nil && (s.Op == Move || s.Op == Copy || s.Op == Restore || s.Op == Make) {
		seen.Reason = Taken
	}
	return seen
}
