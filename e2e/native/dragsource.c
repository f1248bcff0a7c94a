/*
 * A little window from which files are dragged, as a file manager's would be: what is dragged are the paths on its
 * command line, each written as a file:// URI of text/uri-list. Without any it drags a piece of text.
 *
 * It says "ready" once it can be taken hold of, "begun" when a drag begins, "over" with what the window under the pointer
 * would do, whenever that changes, and "ended" with how when it is over.
 *
 * Build: cc -O2 -o dragsource dragsource.c $(pkg-config --cflags --libs gtk+-3.0)
 */
#include <gtk/gtk.h>
#include <stdio.h>

static gchar **uris;

static void say(const char *what) {
    puts(what);
    fflush(stdout);
}

static void give(GtkWidget *box, GdkDragContext *context, GtkSelectionData *data, guint info, guint time, gpointer none) {
    (void)box, (void)context, (void)info, (void)time, (void)none;
    if (uris)
        gtk_selection_data_set_uris(data, uris);
    else
        gtk_selection_data_set_text(data, "dragged words", -1);
}

static void answered(GdkDragContext *context, GdkDragAction action, gpointer none) {
    (void)context, (void)none;
    printf("over %d\n", (int)action);
    fflush(stdout);
}

static void begun(GtkWidget *box, GdkDragContext *context, gpointer none) {
    (void)box, (void)none;
    g_signal_connect(context, "action-changed", G_CALLBACK(answered), NULL);
    say("begun");
}

static gboolean failed(GtkWidget *box, GdkDragContext *context, GtkDragResult how, gpointer none) {
    (void)box, (void)context, (void)none;
    printf("failed %d\n", (int)how);
    fflush(stdout);
    return TRUE; /* no animation back */
}

static void ended(GtkWidget *box, GdkDragContext *context, gpointer none) {
    (void)box, (void)none;
    printf("ended %d\n", (int)gdk_drag_context_get_selected_action(context));
    fflush(stdout);
}

static gboolean drawn(gpointer none) {
    (void)none;
    say("ready");
    return G_SOURCE_REMOVE;
}

static gboolean mapped(GtkWidget *window, GdkEvent *event, gpointer none) {
    (void)window, (void)event, (void)none;
    g_idle_add(drawn, NULL);
    return FALSE;
}

int main(int argc, char **argv) {
    gtk_init(&argc, &argv);
    if (argc > 1) {
        uris = g_new0(gchar *, argc);
        for (int i = 1; i < argc; i++) uris[i - 1] = g_filename_to_uri(argv[i], NULL, NULL);
    }
    /* A popup stands where it is put, above everything, whatever the window manager thinks. */
    GtkWidget *window = gtk_window_new(GTK_WINDOW_POPUP);
    GtkWidget *box = gtk_event_box_new();
    gtk_container_add(GTK_CONTAINER(box), gtk_label_new("files"));
    gtk_container_add(GTK_CONTAINER(window), box);
    gtk_window_set_default_size(GTK_WINDOW(window), 60, 40);
    gtk_drag_source_set(box, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY);
    if (uris)
        gtk_drag_source_add_uri_targets(box);
    else
        gtk_drag_source_add_text_targets(box);
    g_signal_connect(box, "drag-data-get", G_CALLBACK(give), NULL);
    g_signal_connect(box, "drag-begin", G_CALLBACK(begun), NULL);
    g_signal_connect(box, "drag-failed", G_CALLBACK(failed), NULL);
    g_signal_connect(box, "drag-end", G_CALLBACK(ended), NULL);
    g_signal_connect(window, "map-event", G_CALLBACK(mapped), NULL);
    gtk_window_move(GTK_WINDOW(window), 0, 0);
    gtk_widget_show_all(window);
    gtk_main();
    return 0;
}
