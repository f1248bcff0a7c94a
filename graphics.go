package main

import "os"

// noDriver are the variables by which GTK and WebKit are told not to ask a graphics driver what it can do. The window draws
// without one (see main); asking alone has this process load it, which costs 20 MB and a tenth of a second.
var noDriver = [][2]string{
	{"GDK_GL", "disable"},
	{"WEBKIT_DISABLE_DMABUF_RENDERER", "1"},
	{"WEBKIT_WEB_RENDER_DEVICE_FILE", os.DevNull}, // named, so it need not be looked for
}

// withoutDriver sets them, except where a person has said otherwise, and gives back how they are taken away again: what the
// shop starts later, a browser for one, is to draw as it likes.
func withoutDriver() (restore func()) {
	var set []string
	for _, v := range noDriver {
		if _, said := os.LookupEnv(v[0]); !said && os.Setenv(v[0], v[1]) == nil {
			set = append(set, v[0])
		}
	}
	return func() {
		for _, name := range set {
			_ = os.Unsetenv(name)
		}
	}
}
