package pager

import (
	"fmt"
	"net"
	"strings"
	"time"

	"rsc.io/qr"

	"agentchat/backend/apperr"
	"agentchat/backend/pairing"
)

// Way is one address of this computer's with the picture that leads a phone there. Path draws the black squares of the QR code, one unit each, in a
// square of Size units.
type Way struct {
	Address string `json:"address"`
	Link    string `json:"link"`
	Size    int    `json:"size"`
	Path    string `json:"path"`
}

// Invitation is what a phone is paired with, once, until a moment.
type Invitation struct {
	Ways  []Way     `json:"ways"`
	Until time.Time `json:"until" ts_type:"string"`
}

// Invite makes a code for one phone; the one before is void. Errors: pager_off.
func (p *Pager) Invite() (Invitation, error) {
	p.mu.Lock()
	port := p.port
	err := apperr.New(apperr.PagerOff)
	if port != "" {
		err = nil
		if failed := p.identify(); failed != nil { // the network may be another by now
			err = apperr.Wrap(failed, apperr.StorageFailed)
		}
	}
	p.mu.Unlock()
	if err != nil {
		return Invitation{}, err
	}
	code, until := p.codes.Fresh()
	in := Invitation{Ways: []Way{}, Until: until}
	for _, addr := range pairing.Addresses() {
		// The code stands behind the #, which no browser sends along.
		way := Way{Address: net.JoinHostPort(addr.String(), port)}
		way.Link = "https://" + way.Address + "/#" + code
		var err error
		if way.Size, way.Path, err = drawn(way.Link); err != nil {
			return Invitation{}, apperr.Wrap(err, apperr.Internal)
		}
		in.Ways = append(in.Ways, way)
	}
	return in, nil
}

// Uninvite voids the code that no phone has used yet.
func (p *Pager) Uninvite() { p.codes.Void() }

// drawn is a text as a QR code, with the white margin it needs.
func drawn(text string) (size int, path string, err error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return 0, "", err
	}
	const margin = 4
	var b strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+margin, y+margin, x-from, x-from)
			}
		}
	}
	return code.Size + 2*margin, b.String(), nil
}
