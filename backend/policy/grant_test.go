package policy_test

import (
	"net/url"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// granted is an approval for ever of a call with one consequential argument, and a way to ask what it covers.
func granted(arg, value string) func(other string) bool {
	spec := write(func(s *toolbox.Spec) { s.Consequential = []string{arg} })
	g := policy.Grant{Scope: toolbox.ScopeAlways, Tool: spec.Key, When: policy.Pattern(spec, raw(map[string]any{arg: value}))}
	return func(other string) bool { return g.Covers("any", spec.Key, raw(map[string]any{arg: other})) }
}

// However a path is written: an approval of a file reaches no further than the folder that the file is in, as a file system
// reads the path.
func FuzzGrantOfAPath(f *testing.F) {
	for _, other := range []string{"notes/b.txt", "notes/../x", `notes\..\x`, "notes2/a", "NOTES/a", "/notes/a", "./notes/a", "notes//a", "notes/%2e%2e/x", "notes/./../x", "notes\x00/a", "notes/..\u200b/x"} {
		f.Add("notes/a.txt", other)
	}
	f.Add("a.txt", "b.txt")
	f.Add("/etc/a", "/b")
	f.Add("../a", "../b")
	f.Fuzz(func(t *testing.T, one, other string) {
		if !utf8.ValidString(one + other) { // arguments are JSON
			return
		}
		covers := granted("path", one)
		if !covers(one) {
			t.Fatalf("%q does not cover itself", one)
		}
		if !covers(other) || string(raw(one)) == string(raw(other)) {
			return
		}
		for _, separators := range []func(string) string{func(p string) string { return p }, func(p string) string { return strings.ReplaceAll(p, `\`, "/") }} {
			folder, reached := path.Dir(path.Clean(separators(one))), path.Clean(separators(other))
			if strings.Contains(other+one, `\`) && separators(other) == other { // a name with the sign in it, where that is no separator
				continue
			}
			if folder == "." || folder == "/" || strings.HasPrefix(folder, "..") || reached != folder && !strings.HasPrefix(reached, folder+"/") {
				t.Fatalf("%q covers %q", one, other)
			}
		}
	})
}

// dialed is whom a client would call for an address.
func dialed(text string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Host == "" || u.User != nil {
		return "", false
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil {
		host = strings.ToLower(u.Hostname())
	}
	port, scheme := u.Port(), strings.ToLower(u.Scheme)
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + " " + strings.TrimSuffix(host, ".") + " " + port, true
}

// However an address is written: an approval of a page reaches no further than whom a client would call for it.
func FuzzGrantOfAnAddress(f *testing.F) {
	for _, other := range []string{
		"https://example.org/b", "https://example.org.evil.net/", "https://evil.net/example.org", "https://example.org@evil.net/", "http://example.org/",
		"https://example.org:8443/", "https://EXAMPLE.org:443/b", `https://example.org\@evil.net/`, "https://ｅxample.org/", "https://evil.net#https://example.org/", "//example.org/",
	} {
		f.Add("https://example.org/a", other)
	}
	f.Add("http://[::1]:80/", "http://[::1]/x")
	f.Add("mailto:a@b", "mailto:c@b")
	f.Fuzz(func(t *testing.T, one, other string) {
		if !utf8.ValidString(one + other) {
			return
		}
		covers := granted("url", one)
		if !covers(one) {
			t.Fatalf("%q does not cover itself", one)
		}
		if !covers(other) || string(raw(one)) == string(raw(other)) {
			return
		}
		a, okA := dialed(one)
		b, okB := dialed(other)
		if !okA || !okB || a != b {
			t.Fatalf("%q covers %q: %s, %s", one, other, a, b)
		}
	})
}
