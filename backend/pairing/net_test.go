package pairing

import (
	"crypto/ecdsa"
	"crypto/tls"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestOnlyTheOwnNetworkIsNear(t *testing.T) {
	for text, want := range map[string]bool{
		"127.0.0.1": true, "192.168.0.7": true, "10.1.2.3": true, "172.20.0.1": true, "169.254.1.1": true, "fd00::1": true, "fe80::1": true, "::1": true,
		"::ffff:192.168.0.7": true, "8.8.8.8": false, "172.32.0.1": false, "2001:db8::1": false, "::ffff:8.8.8.8": false, "100.64.0.1": false, "0.0.0.0": false,
	} {
		if got := Near(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is near: %v", text, got)
		}
	}
	if Near(netip.Addr{}) {
		t.Error("no address is near")
	}
}

func TestTheCertificateFollowsTheAddressesAndKeepsItsKey(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	one, two := netip.MustParseAddr("192.168.0.7"), netip.MustParseAddr("10.0.0.5")
	make := func(at time.Time, addrs ...netip.Addr) (tls.Certificate, string) {
		c, print, err := Identity(filepath.Join(dir, "key.pem"), addrs, at)
		if err != nil {
			t.Fatal(err)
		}
		return c, print
	}
	first, print := make(now, one)
	if _, again := make(now.Add(300*24*time.Hour), one); again != print {
		t.Error("a good certificate was made anew")
	}
	moved, other := make(now, one, two)
	if other == print || moved.Leaf.VerifyHostname("10.0.0.5") != nil {
		t.Error("the certificate does not name the new address")
	}
	old, _ := make(now.Add(800*24*time.Hour), one)
	if old.Leaf.NotAfter.Before(now.Add(900 * 24 * time.Hour)) {
		t.Error("a certificate that runs out was kept")
	}
	for _, c := range []tls.Certificate{moved, old} {
		if key, ok := c.PrivateKey.(*ecdsa.PrivateKey); !ok || !key.Equal(first.PrivateKey) {
			t.Error("the key changed")
		}
	}
	info, err := os.Stat(filepath.Join(dir, "key.pem"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if err := os.WriteFile(filepath.Join(dir, "key.pem"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, fresh := make(now, one); fresh == print {
		t.Error("a damaged file gave the old certificate")
	}
}
