//go:build linux && (production || dev)

package main

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>
#include <stdlib.h>

// pasted is what the clipboard holds: addresses of files, one a line, or a picture as PNG.
typedef struct {
	GMutex lock;
	GCond  done;
	gboolean over;
	char  *list;
	gchar *picture;
	gsize  size;
} pasted;

static gboolean read_clipboard(gpointer data) {
	pasted *p = data;
	GtkClipboard *board = gtk_clipboard_get(GDK_SELECTION_CLIPBOARD);
	gchar **uris = gtk_clipboard_wait_for_uris(board);
	char *list = NULL;
	gchar *picture = NULL;
	gsize size = 0;
	if (uris != NULL) {
		list = g_strjoinv("\n", uris);
		g_strfreev(uris);
	} else {
		GdkPixbuf *image = gtk_clipboard_wait_for_image(board);
		if (image != NULL) {
			gdk_pixbuf_save_to_buffer(image, &picture, &size, "png", NULL, "compression", "1", NULL);
			g_object_unref(image);
		}
	}
	g_mutex_lock(&p->lock);
	p->list = list;
	p->picture = picture;
	p->size = size;
	p->over = TRUE;
	g_cond_signal(&p->done);
	g_mutex_unlock(&p->lock);
	return G_SOURCE_REMOVE;
}

// ask_clipboard has GTK's own thread read it, and waits for that. What is never read, because the program ends, stays where it is.
static pasted *ask_clipboard(int seconds) {
	pasted *p = g_new0(pasted, 1);
	g_mutex_init(&p->lock);
	g_cond_init(&p->done);
	gint64 end = g_get_monotonic_time() + seconds * G_TIME_SPAN_SECOND;
	g_idle_add(read_clipboard, p);
	g_mutex_lock(&p->lock);
	while (!p->over && g_cond_wait_until(&p->done, &p->lock, end)) {
	}
	gboolean over = p->over;
	g_mutex_unlock(&p->lock);
	return over ? p : NULL;
}

static void forget_pasted(pasted *p) {
	g_free(p->list);
	g_free(p->picture);
	g_mutex_clear(&p->lock);
	g_cond_clear(&p->done);
	g_free(p);
}
*/
import "C"

import (
	"net/url"
	"strings"
	"unsafe"

	"agentchat/backend/attachment"
)

// clipboardSeconds is how long another program may take to hand out what was copied in it.
const clipboardSeconds = 10

// pastedFiles is what the desktop's clipboard holds besides words: files by their paths, or else a picture. WebKitGTK shows neither to the page.
func pastedFiles() (paths []string, picture []byte) {
	p := C.ask_clipboard(clipboardSeconds)
	if p == nil {
		return nil, nil
	}
	defer C.forget_pasted(p)
	if p.list != nil {
		for line := range strings.Lines(C.GoString(p.list)) {
			if u, err := url.Parse(strings.TrimSpace(line)); err == nil && u.Scheme == "file" && u.Path != "" {
				paths = append(paths, u.Path)
			}
		}
		return paths, nil
	}
	if p.picture != nil && p.size > 0 && p.size <= attachment.MostBytes {
		picture = C.GoBytes(unsafe.Pointer(p.picture), C.int(p.size))
	}
	return nil, picture
}
