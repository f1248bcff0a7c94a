// Agent Chat in a native window. Everything the window can do is a method of App; everything behind it is in backend.
package main

import (
	"embed"
	"fmt"
	"os"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

//go:embed all:frontend/dist
var assets embed.FS

//go:embed build/appicon.png
var icon []byte

func main() {
	app := NewApp()
	err := wails.Run(&options.App{
		Title:            "Agent Chat",
		Width:            1280,
		Height:           840,
		MinWidth:         720,
		MinHeight:        520,
		BackgroundColour: &options.RGBA{R: 0xF4, G: 0xF1, B: 0xEA, A: 255},
		AssetServer:      &assetserver.Options{Assets: assets},
		OnStartup:        app.window.startup,
		DragAndDrop:      &options.DragAndDrop{EnableFileDrop: true},
		OnDomReady:       app.window.domReady,
		OnShutdown:       app.window.shutdown,
		ErrorFormatter:   app.window.formatError,
		Bind:             []any{app},
		Linux:            &linux.Options{ProgramName: "agentchat", Icon: icon},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
