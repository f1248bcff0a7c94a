/*
 * Watches the real production window from outside, without any code for it in the app.
 *
 * Preloaded into the app (LD_PRELOAD), it replaces the call by which Wails loads its page, and from then on writes to the
 * file named by WINDOW_WATCH what a person would see, one line each: what happened and when, in microseconds of the
 * system's monotonic clock.
 *
 *   load      the page was asked for
 *   mapped    the window came up
 *   painted   the page drew its first content
 *   focused   a text field has the focus, and the frame that shows it was drawn
 *   draw      the window got a new picture of its page
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <webkit2/webkit2.h>

static FILE *notes;

static void note(const char *what) {
    fprintf(notes, "%s %" G_GINT64_FORMAT "\n", what, g_get_monotonic_time());
    fflush(notes);
}

static gboolean drawn(GtkWidget *view, cairo_t *picture, gpointer data) {
    (void)view;
    (void)picture;
    (void)data;
    note("draw");
    return FALSE;
}

static void mapped(GtkWidget *view, gpointer data) {
    (void)view;
    (void)data;
    note("mapped");
}

static void told(WebKitUserContentManager *manager, WebKitJavascriptResult *result, gpointer data) {
    (void)manager;
    (void)data;
    char *what = jsc_value_to_string(webkit_javascript_result_get_js_value(result));
    note(what);
    g_free(what);
}

static const char *in_page =
    "(() => {"
    "  const tell = (what) => window.webkit.messageHandlers.watch.postMessage(what);"
    "  new PerformanceObserver((list) => list.getEntriesByName('first-contentful-paint').length && tell('painted'))"
    "    .observe({ type: 'paint', buffered: true });"
    "  const look = () => document.activeElement?.matches('textarea')"
    "    ? requestAnimationFrame(() => setTimeout(() => tell('focused')))"
    "    : requestAnimationFrame(look);"
    "  look();"
    "})();";

void webkit_web_view_load_uri(WebKitWebView *view, const gchar *uri) {
    void (*load)(WebKitWebView *, const gchar *) = dlsym(RTLD_NEXT, "webkit_web_view_load_uri");
    const char *path = getenv("WINDOW_WATCH");
    if (path && !notes && (notes = fopen(path, "w"))) {
        WebKitUserContentManager *manager = webkit_web_view_get_user_content_manager(view);
        webkit_user_content_manager_register_script_message_handler(manager, "watch");
        g_signal_connect(manager, "script-message-received::watch", G_CALLBACK(told), NULL);
        WebKitUserScript *script = webkit_user_script_new(in_page, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME,
                                                          WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, NULL, NULL);
        webkit_user_content_manager_add_script(manager, script);
        webkit_user_script_unref(script);
        g_signal_connect(view, "draw", G_CALLBACK(drawn), NULL);
        g_signal_connect(view, "map", G_CALLBACK(mapped), NULL);
        note("load");
    }
    load(view, uri);
}
