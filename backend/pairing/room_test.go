package pairing

import (
	"net"
	"testing"
)

// One address has as many connections as its room says and no more; one that ends makes place for another.
func TestARoomHoldsSoManyOfOneAddress(t *testing.T) {
	const most = 12
	l, err := Listen("127.0.0.1", 0, Room{Most: 64, OfOne: most})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	in := make(chan net.Conn, 2*most)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			in <- c
		}
	}()
	call := func() net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	var first net.Conn
	for range most {
		call()
		if c := <-in; first == nil {
			first = c
		}
	}
	if n, err := call().Read(make([]byte, 1)); err == nil {
		t.Errorf("one more than the room holds heard %d bytes", n)
	}
	_ = first.Close()
	call()
	<-in
	if ForBranches.OfOne <= ForPhones.OfOne || ForBranches.Most < 2*ForBranches.OfOne {
		t.Errorf("%+v, %+v", ForPhones, ForBranches)
	}
}
