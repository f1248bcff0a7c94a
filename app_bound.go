//go:build !lean

package main

// bound is what the page may call: the methods of app, which Wails looks for at run time.
func bound(app *App) []any { return []any{app} }
