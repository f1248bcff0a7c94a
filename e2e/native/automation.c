/*
 * Lets WebKitWebDriver drive the real production window, without any test code in the app itself.
 *
 * Preloaded into the app (LD_PRELOAD), it replaces the one WebKit call by which Wails makes its web view, and does what
 * a browser under test has to do: allow automation on the web context, mark the view as controlled by automation (a
 * property that can only be set at construction), and hand that view out when the driver asks for a browsing context.
 *
 * Build: gcc -shared -fPIC -O2 -o automation.so automation.c $(pkg-config --cflags --libs webkit2gtk-4.1)
 */
#include <webkit2/webkit2.h>

static GtkWidget *app_view;

static WebKitWebView *give_view(WebKitAutomationSession *session, gpointer data) {
    (void)session;
    (void)data;
    return WEBKIT_WEB_VIEW(app_view);
}

static void session_started(WebKitWebContext *context, WebKitAutomationSession *session, gpointer data) {
    (void)context;
    (void)data;
    /* The driver compares name and version with the capabilities it was asked for. */
    WebKitApplicationInfo *info = webkit_application_info_new();
    webkit_application_info_set_name(info, "agentchat");
    webkit_application_info_set_version(info, 1, 0, 0);
    webkit_automation_session_set_application_info(session, info);
    webkit_application_info_unref(info);
    g_signal_connect(session, "create-web-view", G_CALLBACK(give_view), NULL);
}

GtkWidget *webkit_web_view_new_with_user_content_manager(WebKitUserContentManager *manager) {
    WebKitWebContext *context = webkit_web_context_get_default();
    g_signal_connect(context, "automation-started", G_CALLBACK(session_started), NULL);
    webkit_web_context_set_automation_allowed(context, TRUE);
    app_view = GTK_WIDGET(g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", context, "user-content-manager", manager,
                                       "is-controlled-by-automation", TRUE, NULL));
    return app_view;
}
