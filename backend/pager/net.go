package pager

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"time"
)

// serving is a server that waits for nobody: what a caller does not read, or send, ends soon. cert gives the certificate of the moment.
func serving(h http.Handler, cert func() *tls.Certificate) *http.Server {
	var spoken http.Protocols
	spoken.SetHTTP1(true) // the programs are built without the other, see ADR 11
	return &http.Server{
		Handler: h, Protocols: &spoken, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: 15 * time.Second,
		MaxHeaderBytes: 8 << 10,
		TLSConfig: &tls.Config{
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return cert(), nil }, MinVersion: tls.VersionTLS13,
		},
		ErrorLog: log.New(io.Discard, "", 0), // that a stranger knocks is no news
	}
}
