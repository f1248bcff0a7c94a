// Package tray is the shop's small sign on the desktop while its window is away: an icon with a menu, in the notification area of
// Windows, the menu bar of macOS, and where a Linux desktop shows StatusNotifierItems. See ADR 8.
package tray

import (
	"strings"
	"sync"
	"unicode"

	"fyne.io/systray"

	"agentchat/backend/background"
)

// Entry is one line of the menu. One without Do only says something.
type Entry struct {
	Title string
	Do    func()
}

// Menu are the sections of the menu, from top to bottom, with a line between them.
type Menu [][]Entry

// longest is how many signs of an entry are shown.
const longest = 60

// Icon is the icon and its menu. There is one in a program. Nothing here waits for the desktop: what is to be shown is kept, and
// whatever is newest is shown once the desktop has taken what was before it. Safe for concurrent use.
type Icon struct {
	picture []byte
	name    string
	room    []int // how many entries each section may have
	open    func()

	mu    sync.Mutex
	menu  Menu
	wake  chan struct{}
	ended chan struct{}
	close sync.Once
	host  host
}

// New makes an icon whose sections have room for so many entries each; open is what a click on the icon itself does, where the
// desktop tells it from one that opens the menu. picture is a PNG, on Windows an ICO. It is there once Start was called and a
// desktop shows it.
func New(picture []byte, name string, open func(), room ...int) *Icon {
	return &Icon{picture: picture, name: name, open: open, room: room, wake: make(chan struct{}, 1), ended: make(chan struct{})}
}

// Start puts the icon on the desktop, now or once there is a place for it.
func (i *Icon) Start() { i.host.start(i) }

// Show says what the menu has from now on.
func (i *Icon) Show(menu Menu) {
	i.mu.Lock()
	i.menu = menu
	i.mu.Unlock()
	background.Wake(i.wake)
}

// Close ends what the icon does; it goes from the desktop with the program.
func (i *Icon) Close() {
	i.close.Do(func() {
		close(i.ended)
		i.host.end()
	})
}

// build makes the icon and its menu, once the library is ready for it. There is no way to put an entry between others, so all there
// may ever be are made at once, and hidden where there is nothing to say.
func (i *Icon) build() {
	systray.SetIcon(i.picture)
	systray.SetTitle(i.name)
	systray.SetTooltip(i.name)
	slots := make([][]*slot, len(i.room))
	for s, n := range i.room {
		if s > 0 {
			systray.AddSeparator()
		}
		for range n {
			slots[s] = append(slots[s], i.newSlot())
		}
	}
	go i.draw(slots)
}

// draw shows the newest menu until the icon is closed.
func (i *Icon) draw(slots [][]*slot) {
	for {
		i.mu.Lock()
		menu := i.menu
		i.mu.Unlock()
		for s := range slots {
			for n, slot := range slots[s] {
				var e Entry
				if s < len(menu) && n < len(menu[s]) {
					e = menu[s][n]
				}
				slot.draw(e)
			}
		}
		select {
		case <-i.wake:
		case <-i.ended:
			return
		}
	}
}

// slot is the place of one entry.
type slot struct {
	item *systray.MenuItem

	mu  sync.Mutex
	now Entry
}

func (i *Icon) newSlot() *slot {
	s := &slot{item: systray.AddMenuItem("", "")}
	s.item.Hide()
	go func() {
		for {
			select {
			case <-i.ended:
				return
			case <-s.item.ClickedCh:
				if do := s.clicked(); do != nil {
					go do() // the desktop does not wait for what a click brings, nor does the next click
				}
			}
		}
	}()
	return s
}

func (s *slot) clicked() func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.Do
}

// draw shows an entry, telling the desktop only what is new.
func (s *slot) draw(e Entry) {
	s.mu.Lock()
	was := s.now
	s.now = e
	s.mu.Unlock()
	if e.Title == "" {
		if was.Title != "" {
			s.item.Hide()
		}
		return
	}
	if e.Title != was.Title {
		s.item.SetTitle(written(e.Title))
	}
	if (e.Do == nil) != s.item.Disabled() {
		if e.Do == nil {
			s.item.Disable()
		} else {
			s.item.Enable()
		}
	}
	if was.Title == "" {
		s.item.Show()
	}
}

// written is a title in one short line of signs that can be seen, none of which means a shortcut.
func written(title string) string {
	seen := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, title)
	runes := []rune(strings.Join(strings.Fields(seen), " "))
	if len(runes) > longest {
		runes = append(runes[:longest-1], '…')
	}
	return strings.ReplaceAll(string(runes), mnemonic, mnemonic+mnemonic)
}
