package pairing

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/net/netutil"
)

// Room is how many connections there are at a time, of everybody and of one address.
type Room struct{ Most, OfOne int }

// The rooms of the doors. A phone needs few; another shop has one connection open for each call that is under way, and one more to beat by.
var (
	ForPhones   = Room{Most: 64, OfOne: 8}
	ForBranches = Room{Most: 512, OfOne: 96}
)

// Near tells whether an address is of a private network, as homes and offices have them.
func Near(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsLoopback()
}

// Addresses are this computer's own, those of its network that a home most likely has first; where it is in none, the one that leads to itself.
func Addresses() (list []netip.Addr) {
	all, err := net.InterfaceAddrs()
	if err == nil {
		for _, a := range all {
			prefix, err := netip.ParsePrefix(a.String())
			if addr := prefix.Addr().Unmap(); err == nil && addr.Is4() && addr.IsPrivate() {
				list = append(list, addr)
			}
		}
	}
	if len(list) == 0 {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	}
	likely := func(a netip.Addr) int { // 172.16 to 172.31 is mostly what is between containers
		return slices.Index([]byte{192, 10, 172}, a.As4()[0])
	}
	slices.SortStableFunc(list, func(a, b netip.Addr) int { return cmp.Compare(likely(a), likely(b)) })
	return list
}

// Listen listens on a port of this computer's, on one of its addresses or, without one, on all; 0 takes any that is free. It hears nobody who is in no
// network of this computer's own.
func Listen(address string, port int, room Room) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", net.JoinHostPort(address, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	// Outside of the total stands what lets few of one address in, so that what is refused takes nobody's place.
	return netutil.LimitListener(&neighbours{Listener: l, most: room.OfOne, open: map[netip.Addr]int{}}, room.Most), nil
}

// neighbours lets nobody in who is not in a network of this computer's own: who calls from elsewhere hears nothing, not even a handshake. Nor does
// one address hold all the places there are.
type neighbours struct {
	net.Listener

	most int // of one address

	mu   sync.Mutex
	open map[netip.Addr]int
}

// Accept implements net.Listener.
func (n *neighbours) Accept() (net.Conn, error) {
	for {
		c, err := n.Listener.Accept()
		if err != nil {
			return nil, err
		}
		who := Of(c.RemoteAddr())
		if Near(who) && Near(Of(c.LocalAddr())) && n.enter(who) {
			return &visit{Conn: c, left: sync.OnceFunc(func() { n.leave(who) })}, nil
		}
		_ = c.Close()
	}
}

func (n *neighbours) enter(who netip.Addr) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.open[who] >= n.most {
		return false
	}
	n.open[who]++
	return true
}

func (n *neighbours) leave(who netip.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.open[who]--; n.open[who] == 0 {
		delete(n.open, who)
	}
}

// visit is a connection that gives its place back.
type visit struct {
	net.Conn

	left func()
}

// Close implements net.Conn.
func (v *visit) Close() error {
	v.left()
	return v.Conn.Close()
}

// Of is the address of one end of a connection.
func Of(a net.Addr) netip.Addr {
	if t, ok := a.(*net.TCPAddr); ok {
		return t.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
