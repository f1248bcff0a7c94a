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
*/
import "C"

// startFolded has the first window come up minimised: Wails shows a window that is to be hidden before it hides it, and people would see that.
func startFolded() { C.fold_first() }
