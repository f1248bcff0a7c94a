/* A desktop's portal for global shortcuts, as far as the window asks: it grants the key, says "ready" once it is there and "bound" once it was
   asked, and presses the key for every SIGUSR1. */
#include <gio/gio.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>

#define AT "/org/freedesktop/portal/desktop"
#define SHORTCUTS "org.freedesktop.portal.GlobalShortcuts"

static const char face[] =
    "<node><interface name='" SHORTCUTS "'>"
    "<method name='CreateSession'><arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>"
    "<method name='BindShortcuts'><arg type='o' direction='in'/><arg type='a(sa{sv})' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>"
    "</interface></node>";

static GDBusConnection *bus;

static void said(const char *word) {
  puts(word);
  fflush(stdout);
}

static void called(GDBusConnection *c, const char *sender, const char *path, const char *interface, const char *method, GVariant *args,
                   GDBusMethodInvocation *call, gpointer data) {
  (void)c, (void)sender, (void)path, (void)interface, (void)args, (void)data;
  int binds = g_str_equal(method, "BindShortcuts");
  const char *request = binds ? AT "/request/x/bind" : AT "/request/x/create";
  g_dbus_method_invocation_return_value(call, g_variant_new("(o)", request));
  GVariant *results = g_variant_new_parsed(
      binds ? "{'shortcuts': <[('line', {'trigger_description': <'Super+Space'>})]>}" : "{'session_handle': <'" AT "/session/x/agentchat'>}");
  g_dbus_connection_emit_signal(bus, NULL, request, "org.freedesktop.portal.Request", "Response", g_variant_new("(u@a{sv})", 0, results), NULL);
  if (binds) said("bound");
}

static gboolean press(gpointer data) {
  (void)data;
  g_dbus_connection_emit_signal(bus, NULL, AT, SHORTCUTS, "Activated",
                                g_variant_new("(ost@a{sv})", AT "/session/x/agentchat", "line", (guint64)0, g_variant_new_parsed("@a{sv} {}")), NULL);
  return G_SOURCE_CONTINUE;
}

static void named(GDBusConnection *c, const char *name, gpointer data) {
  (void)c, (void)name, (void)data;
  said("ready");
}

int main(void) {
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
  if (!bus) return 1;
  static const GDBusInterfaceVTable calls = {.method_call = called};
  GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(face, NULL);
  if (!node || !g_dbus_connection_register_object(bus, AT, node->interfaces[0], &calls, NULL, NULL, NULL)) return 1;
  g_bus_own_name_on_connection(bus, "org.freedesktop.portal.Desktop", 0, named, NULL, NULL, NULL);
  g_unix_signal_add(SIGUSR1, press, NULL);
  g_main_loop_run(loop);
  return 0;
}
