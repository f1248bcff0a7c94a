// Package pairing is what doors share that other machines come in by after a person paired them: this computer's addresses, a key that is made once
// and kept, codes that hold once, and a listener that hears nobody from elsewhere.
package pairing

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"agentchat/backend/privatefile"
)

const (
	// CertLife is how long a certificate is good: Apple's browsers take none that is for longer.
	CertLife = 820 * 24 * time.Hour
	certLeft = 30 * 24 * time.Hour
	// mostNamed is how many addresses a certificate names, those of before among them.
	mostNamed = 16
)

// Identity gives the certificate that others see, and its SHA-256 as browsers show it. The key is made once and kept in a file; the certificate is made
// anew when it runs out or this computer has an address that it does not name. Errors: of the file.
func Identity(path string, addrs []netip.Addr, now time.Time) (tls.Certificate, string, error) {
	kept, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return tls.Certificate{}, "", err
	}
	pair, err := tls.X509KeyPair(kept, kept)
	if err == nil && good(pair.Leaf, addrs, now) {
		return pair, fingerprint(pair.Leaf.Raw), nil
	}
	key, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	if ok && err == nil { // who moves between two networks is not asked about a new one each time
		for _, ip := range pair.Leaf.IPAddresses {
			if was, fits := netip.AddrFromSlice(ip); fits && !slices.Contains(addrs, was.Unmap()) && len(addrs) < mostNamed {
				addrs = append(addrs, was.Unmap())
			}
		}
	}
	if err != nil || !ok {
		if key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			return pair, "", err
		}
	}
	text, err := issued(key, addrs, now)
	if err != nil {
		return pair, "", err
	}
	if err := privatefile.Write(path, text); err != nil {
		return pair, "", err
	}
	if pair, err = tls.X509KeyPair(text, text); err != nil {
		return pair, "", err
	}
	return pair, fingerprint(pair.Leaf.Raw), nil
}

func good(c *x509.Certificate, addrs []netip.Addr, now time.Time) bool {
	return now.After(c.NotBefore) && now.Before(c.NotAfter.Add(-certLeft)) && !slices.ContainsFunc(addrs, func(a netip.Addr) bool {
		return !slices.ContainsFunc(c.IPAddresses, net.IP(a.AsSlice()).Equal)
	})
}

// issued is a certificate for the addresses with its key, as PEM.
func issued(key *ecdsa.PrivateKey, addrs []netip.Addr, now time.Time) ([]byte, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	c := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Agent Chat"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(CertLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
	}
	for _, a := range addrs {
		c.IPAddresses = append(c.IPAddresses, a.AsSlice())
	}
	raw, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := errors.Join(
		pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: raw}), pem.Encode(&b, &pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
	); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// fingerprint is the SHA-256 of a certificate, in pairs of digits with colons between.
func fingerprint(raw []byte) string {
	sum := sha256.Sum256(raw)
	pairs := make([]string, len(sum))
	for i, b := range sum {
		pairs[i] = fmt.Sprintf("%02X", b)
	}
	return strings.Join(pairs, ":")
}
