package mcp

import (
	"slices"
	"testing"
)

// The examples are the RFC's, and one of letters that it has none of.
func TestTemplatesOfAddresses(t *testing.T) {
	values := map[string]string{"var": "value", "hello": "Hello World!", "path": "/foo/bar", "empty": "", "x": "1024", "y": "768", "달": "3월", "month": "3월"}
	for template, want := range map[string]string{
		"{var}": "value", "{hello}": "Hello%20World%21", "{+hello}": "Hello%20World!", "{+path}/here": "/foo/bar/here", "here?ref={+path}": "here?ref=/foo/bar",
		"X{#hello}": "X#Hello%20World!", "map?{x,y}": "map?1024,768", "{+x,hello,y}": "1024,Hello%20World!,768", "X{.var}": "X.value", "{/var,x}/here": "/value/1024/here",
		"{;x,y,empty}": ";x=1024;y=768;empty", "{?x,y,empty}": "?x=1024&y=768&empty=", "?fixed=yes{&x}": "?fixed=yes&x=1024", "{none}": "", "{/none}a": "a", "a://{month}": "a://3%EC%9B%94",
		"{var*}": "value",
	} {
		if _, ok := variables(template); !ok {
			t.Errorf("%s is none", template)
		}
		if have := filled(template, values); have != want {
			t.Errorf("%s: %q, want %q", template, have, want)
		}
	}
	if names, ok := variables("a://{x}/{+y,x}{?z*}"); !ok || !slices.Equal(names, []string{"x", "y", "z"}) {
		t.Errorf("%v, %v", names, ok)
	}
	for _, wrong := range []string{"a://{", "a://}", "{}", "{=x}", "{x y}", "{x,}", "{{x}}"} {
		if _, ok := variables(wrong); ok {
			t.Errorf("%s is one", wrong)
		}
	}
}
