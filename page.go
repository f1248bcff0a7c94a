//go:build !elsewhere

package main

import "net/http"

// drawnHere is what is drawn in the window itself: all there is.
func drawnHere(page http.Handler) http.Handler { return page }
