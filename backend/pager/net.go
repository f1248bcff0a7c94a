package pager

import (
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"golang.org/x/net/netutil"
)

// mostConnections is how many there are at a time, of everybody.
const mostConnections = 64

// near tells whether an address is of this computer's own network.
func near(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsLoopback()
}

// addresses are this computer's own, those of its network that a home most likely has first; where it is in none, the one that leads to itself.
func addresses() (list []netip.Addr) {
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

func listen(port int) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", ":"+strconv.Itoa(port))
	if err != nil {
		return nil, err
	}
	return netutil.LimitListener(neighbours{l}, mostConnections), nil
}

// neighbours lets nobody in who is not in this computer's own network: who calls from elsewhere hears nothing, not even a handshake.
type neighbours struct{ net.Listener }

// Accept implements net.Listener.
func (n neighbours) Accept() (net.Conn, error) {
	for {
		c, err := n.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if near(of(c.RemoteAddr())) && near(of(c.LocalAddr())) {
			return c, nil
		}
		_ = c.Close()
	}
}

// of is the address of one end of a connection.
func of(a net.Addr) netip.Addr {
	if t, ok := a.(*net.TCPAddr); ok {
		return t.AddrPort().Addr().Unmap()
	}
	return netip.Addr{}
}

func serving(h http.Handler, cert tls.Certificate) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 8 << 10,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS13},
		ErrorLog:  log.New(io.Discard, "", 0), // that a stranger knocks is no news
	}
}
