package shop

import (
	"context"
	"io"
	"time"

	"agentchat/backend/about"
	"agentchat/backend/apperr"
	"agentchat/backend/guest"
)

// makeGuests makes room for programs and shops that use this one's tools.
func (s *Shop) makeGuests(lease time.Duration) {
	s.guests = guest.New(guest.Deps{
		Store: s.store, Jobs: func() guest.Jobs { return s.jobs }, Box: s.box, Bus: s.Bus, Tools: s.box.Specs, Lang: s.lang, Now: func() time.Time { return s.now() }, Wait: func() time.Duration { return s.Config.Get().GuestsWait }, NewID: newID, Version: about.Version,
		LeaseLife: lease,
	})
}

// openGuests makes the door for programs. They come in when the settings say so.
func (s *Shop) openGuests() {
	s.guestDoor = guest.NewCounter(s.guests)
	s.closing = append(s.closing, func() error { s.guests.Leave(); s.guests.Forget(); s.guestDoor.Close(); return nil })
}

// followGuests opens the door for other programs, or closes it, as the settings say.
func (s *Shop) followGuests() {
	s.guestDoor.Close()
	c := s.Config.Get()
	if !c.GuestsOpen {
		s.guests.Leave()
		return
	}
	if err := s.guestDoor.Open(c.GuestsPort); err != nil {
		log := s.Log.Component("guests")
		log.Warn().Err(err).Int("port", c.GuestsPort).Msg("other programs cannot call on this port")
	}
}

// GuestsView is what the page of other programs shows. Address is where they call; "" while nothing listens.
type GuestsView struct {
	Open    bool          `json:"open"`
	Address string        `json:"address"`
	Port    int           `json:"port"`
	Guests  []guest.View  `json:"guests"`
	Tools   []guest.Offer `json:"tools"`
}

// Guests shows the programs that may use the shop's tools.
func (s *Shop) Guests(ctx context.Context) (GuestsView, error) {
	c := s.Config.Get()
	list, err := s.guests.Views(ctx)
	return GuestsView{Open: c.GuestsOpen, Address: s.guestDoor.Address(), Port: c.GuestsPort, Guests: list, Tools: s.guests.Offers()}, err
}

// GuestAdded is a new guest with its key, which is shown this once.
type GuestAdded struct {
	Guest guest.Guest `json:"guest"`
	Key   string      `json:"key"`
}

// AddGuest lets a program in. Errors: invalid_args, storage errors.
func (s *Shop) AddGuest(ctx context.Context, g guest.Guest) (GuestAdded, error) {
	made, key, err := s.guests.Add(ctx, g)
	return GuestAdded{made, key}, err
}

// ChangeGuest gives a program other tools and limits. Errors: invalid_args, not_found, storage errors.
func (s *Shop) ChangeGuest(ctx context.Context, g guest.Guest) error { return s.guests.Change(ctx, g) }

// RemoveGuest takes a program's key away and stops what it has open. Errors: not_found, storage errors.
func (s *Shop) RemoveGuest(ctx context.Context, id string) error {
	if s.branches.Lent(id) { // it is unpaired, too
		return s.branches.Remove(ctx, id)
	}
	return s.guests.Remove(ctx, id)
}

// ServeGuest is one session of the program that has a key, over a connection; admitted is called once it may come in. Errors: guests_off,
// guest_unknown, storage errors.
func (s *Shop) ServeGuest(ctx context.Context, key string, conn io.ReadWriteCloser, admitted func()) error {
	if !s.Config.Get().GuestsOpen {
		return apperr.New(apperr.GuestsOff)
	}
	g, err := s.guests.Of(ctx, key)
	if err != nil {
		return err
	}
	admitted()
	_ = s.guests.Serve(ctx, g, conn) // it ends as its connection does
	return nil
}
