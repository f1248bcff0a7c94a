//go:build elsewhere

package main

import "net/http"

// windowHost is where the window itself asks, of all who ask for the page.
const windowHost = "wails"

// drawnHere is what is drawn in the window itself: nothing, where a test has the page in a browser. There would be two pages otherwise,
// of one program: each drawn, each told all that happens, and each answering.
func drawnHere(page http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Host != windowHost && r.URL.Host != windowHost {
			page.ServeHTTP(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = rw.Write([]byte("<!doctype html><title>Agent Chat</title>"))
	})
}
