// Agent Chat in a native window. Everything the window can do is a method of App; everything behind it is in backend.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	goruntime "runtime"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"agentchat/backend/cli"
	"agentchat/backend/config"
	"agentchat/backend/diagnose"
	"agentchat/backend/front"
	"agentchat/backend/outbound"
	"agentchat/backend/shop"
)

// icon is small: GTK keeps it as bare pixels and hands them to the display. What packages carry is build/appicon.png.
//
//go:embed build/linux/window.png
var icon []byte

// enums are the closed types that the bindings carry, while these are made.
var enums []any

func main() {
	outbound.Seal()
	if code, done := cli.Main(commandLine(), os.Args[1:]); done {
		os.Exit(code)
	}
	app := NewApp()
	w := app.window
	var asked diagnose.Asked
	w.start, asked = startOf(os.Args[1:])
	if done, code := asked.Answer(os.Stdout, os.Stderr, func() ([]diagnose.Part, error) {
		return shop.Diagnose(context.Background(), config.Options{Flags: w.start.flags})
	}); done {
		os.Exit(code)
	}
	w.first = w.start.lookAhead()
	if second(w.first.dataDir, w.start.call()) {
		return
	}
	w.place, w.placeKept = readPlace(w.first.dataDir)
	shunDeafBus()
	w.driver = withoutDriver()
	letters := newWindowType()
	go letters.unpack()
	if w.start.hidden {
		startFolded()
	}
	err := wails.Run(&options.App{
		Title:            "Agent Chat",
		Width:            w.place.Width,
		Height:           w.place.Height,
		MinWidth:         leastWidth,
		MinHeight:        leastHeight,
		BackgroundColour: w.first.paper(context.Background()),
		AssetServer:      &assetserver.Options{Assets: windowFiles(packed), Middleware: assetserver.ChainMiddleware(letters.answer, w.writeFirstFrame)},
		OnStartup:        w.startup,
		DragAndDrop:      &options.DragAndDrop{EnableFileDrop: true},
		OnDomReady:       w.domReady,
		OnBeforeClose:    w.beforeClose,
		OnShutdown:       w.shutdown,
		StartHidden:      w.start.hidden,
		// On a Mac a closed window hides and its program stays, as with any other; see beforeClose.
		HideWindowOnClose: goruntime.GOOS == "darwin",
		ErrorFormatter:    w.formatError,
		Bind:              bound(app),
		EnumBind:          enums,
		// Nothing here needs a graphics card, and where there is none a composited page is drawn in software layer by
		// layer: a few frames a second and 80 MB more.
		Linux: &linux.Options{ProgramName: "agentchat", Icon: icon, WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// commandLine is the program as its commands see it.
func commandLine() cli.Program {
	return cli.Program{
		Name: "agentchat", In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Open: func(ctx context.Context, c config.Options) (cli.Opened, error) {
			return front.Open(ctx, shop.Options{Config: c, Crashes: true, Now: clock()})
		},
	}
}
