// The least a Wails window can be: one text field. `make bench-window` measures Agent Chat beside it, built with the same
// tags and opened with the same options, because what both cost is the price of the web view and not ours.
package main

import (
	"embed"
	"fmt"
	"os"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
)

//go:embed index.html
var assets embed.FS

// App has one method, so that the page is given bindings as any other is.
type App struct{}

// Ping answers.
func (App) Ping() string { return "pong" }

func main() {
	err := wails.Run(&options.App{
		Title:       "Empty",
		Width:       1280,
		Height:      840,
		AssetServer: &assetserver.Options{Assets: assets},
		Bind:        []any{&App{}},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
