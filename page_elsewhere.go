//go:build elsewhere && linux && !bindings

package main

/*
#cgo pkg-config: gtk+-3.0 webkit2gtk-4.1
#include <webkit2/webkit2.h>

static gboolean loaded(gpointer view) {
	g_signal_emit_by_name(view, "load-changed", WEBKIT_LOAD_FINISHED);
	return G_SOURCE_REMOVE;
}

// These two stand before WebKit's own, as what a program has goes before what its libraries have.
void webkit_web_view_load_uri(WebKitWebView *view, const gchar *address) {
	(void)address;
	g_idle_add(loaded, view);
}

void webkit_web_view_run_javascript(WebKitWebView *view, const gchar *script, GCancellable *cancel, GAsyncReadyCallback done, gpointer data) {
	(void)view, (void)script, (void)cancel, (void)done, (void)data;
}
*/
import "C"

// Nothing is drawn in the window itself where a test has the page in a browser: its view loads no page, and starts no processes for one.
// There would be two pages otherwise, of one program: each drawn, each told all that happens, and each answering.
