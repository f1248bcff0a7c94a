/*
 * Prints what a screen reader is told of a program: the accessible tree of its window, one thing a line, from the outside in:
 * how deep it lies, its role, its name, its description, how urgently its changes are read, and whether it can be focused.
 *
 *   tree <process id>
 */
#include <atspi/atspi.h>
#include <stdio.h>
#include <stdlib.h>

static char *flat(char *text) {
    for (char *c = text; c && *c; c++)
        if (*c == '\t' || *c == '\n' || *c == '\r') *c = ' ';
    return text ? text : g_strdup("");
}

static void print(AtspiAccessible *thing, int depth) {
    char *role = flat(atspi_accessible_get_role_name(thing, NULL));
    char *name = flat(atspi_accessible_get_name(thing, NULL));
    char *description = flat(atspi_accessible_get_description(thing, NULL));
    GHashTable *attributes = atspi_accessible_get_attributes(thing, NULL);
    const char *live = attributes ? g_hash_table_lookup(attributes, "live") : NULL;
    AtspiStateSet *states = atspi_accessible_get_state_set(thing);
    int reached = atspi_state_set_contains(states, ATSPI_STATE_FOCUSABLE);
    printf("%d\t%s\t%s\t%s\t%s\t%d\n", depth, role, name, description, live ? live : "", reached);
    g_object_unref(states);
    if (attributes) g_hash_table_unref(attributes);
    g_free(role);
    g_free(name);
    g_free(description);
    int children = atspi_accessible_get_child_count(thing, NULL);
    for (int i = 0; i < children; i++) {
        AtspiAccessible *child = atspi_accessible_get_child_at_index(thing, i, NULL);
        if (!child) continue; /* it went while the tree was read */
        print(child, depth + 1);
        g_object_unref(child);
    }
}

int main(int argc, char **argv) {
    if (argc != 2 || atspi_init() != 0) {
        fprintf(stderr, "usage: tree <process id>, where there is an accessibility bus\n");
        return 2;
    }
    guint wanted = (guint)atoi(argv[1]);
    AtspiAccessible *desktop = atspi_get_desktop(0);
    int programs = atspi_accessible_get_child_count(desktop, NULL), found = 0;
    for (int i = 0; i < programs; i++) {
        AtspiAccessible *program = atspi_accessible_get_child_at_index(desktop, i, NULL);
        if (!program) continue;
        if (atspi_accessible_get_process_id(program, NULL) == wanted) {
            print(program, 0);
            found = 1;
        }
        g_object_unref(program);
    }
    g_object_unref(desktop);
    atspi_exit();
    return found ? 0 : 1;
}
