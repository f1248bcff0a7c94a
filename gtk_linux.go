//go:build linux && cgo && !bindings

package main

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>

static gboolean fold(GSignalInvocationHint *hint, guint n, const GValue *values, gpointer unused) {
	(void)hint; (void)n; (void)unused;
	GObject *widget = g_value_get_object(values);
	if (!GTK_IS_WINDOW(widget)) return TRUE;
	gtk_window_iconify(GTK_WINDOW(widget));
	return FALSE;
}

static void fold_first(void) {
	g_type_class_ref(GTK_TYPE_WIDGET);
	g_signal_add_emission_hook(g_signal_lookup("realize", GTK_TYPE_WIDGET), 0, fold, NULL, NULL);
}

static gboolean end(gpointer unused) {
	(void)unused;
	gtk_main_quit();
	return G_SOURCE_REMOVE;
}

static void end_soon(void) { g_idle_add(end, NULL); }
*/
import "C"

import (
	"context"
	"time"

	"agentchat/backend/desktop/sessionbus"
)

// busAnswers is how long the desktop's bus has to answer before the window does without it.
const busAnswers = 3 * time.Second

// shunDeafBus keeps a bus that never answers from keeping the window away.
func shunDeafBus() { sessionbus.Shun(busAnswers) }

// startFolded has the first window come up minimised: Wails shows a window that is to be hidden before it hides it, and people would see that.
func startFolded() { C.fold_first() }

// endLoop ends the window where it is drawn. Wails ends it from another thread, which may still be at it when the loop is gone: a crash at
// the very end.
func endLoop(context.Context) { C.end_soon() }

// endsItself says that nobody but endLoop may end the window.
const endsItself = true
