package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/logging"
	"agentchat/backend/strictjson"
)

// secrets are the values of a server's env and headers that must not be seen anywhere.
func (s Server) secrets() []string {
	var found []string
	add := func(v string) {
		if v = strings.TrimSpace(v); telling(v) && !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	for _, values := range []map[string]string{s.Env, s.Headers} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			add(values[name])
			if scheme, rest, ok := strings.Cut(values[name], " "); ok && slices.Contains([]string{"bearer", "basic", "token"}, strings.ToLower(scheme)) {
				add(rest)
			}
		}
	}
	if u, err := url.Parse(s.URL); err == nil {
		if password, ok := u.User.Password(); ok {
			add(password)
		}
		for _, values := range u.Query() {
			for _, v := range values {
				add(v)
			}
		}
	}
	// The longest first: one secret may hold another.
	slices.SortFunc(found, func(a, b string) int { return len(b) - len(a) })
	return found
}

// telling tells whether a value could be a secret. Numbers, switches and paths are none, and hiding them would only make
// results unreadable.
func telling(v string) bool {
	if len(v) < 6 || filepath.IsAbs(v) {
		return false
	}
	_, err := strconv.ParseFloat(v, 64)
	return err != nil
}

// redactor takes a server's secrets, and whatever looks like one, out of texts.
type redactor struct{ own *strings.Replacer }

func newRedactor(secrets []string) redactor {
	pairs := make([]string, 0, 2*len(secrets))
	for _, s := range secrets {
		pairs = append(pairs, s, logging.Redacted)
	}
	return redactor{strings.NewReplacer(pairs...)}
}

// known takes out only what is known to be secret, for results that people work with.
func (r redactor) known(text string) string { return r.own.Replace(text) }

// all also takes out what looks like a secret, for logs and errors.
func (r redactor) all(text string) string { return logging.Redact(r.own.Replace(text)) }

// hide gives the text of mcp.json with every value of env and headers covered. A text that is no JSON is not shown.
func hide(text []byte) string {
	covered, err := walkSecrets(text, func(_, _, _, value string) string {
		if value == "" {
			return ""
		}
		return logging.Redacted
	})
	if err != nil {
		return ""
	}
	return string(covered)
}

// reveal puts the values of old back where text has them covered, so that a person can edit what they were shown.
func reveal(text, old []byte) ([]byte, error) {
	held := map[[3]string]string{}
	if len(bytes.TrimSpace(old)) > 0 {
		// An old text that cannot be read holds nothing to put back.
		_, _ = walkSecrets(old, func(server, field, name, value string) string {
			held[[3]string{server, field, name}] = value
			return value
		})
	}
	return walkSecrets(text, func(server, field, name, value string) string {
		if kept, ok := held[[3]string{server, field, name}]; ok && value == logging.Redacted {
			return kept
		}
		return value
	})
}

// walkSecrets rewrites every value of env and headers. What has another shape than expected stays as it is.
func walkSecrets(text []byte, value func(server, field, name, value string) string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	var whole map[string]any
	if err := strictjson.Decode(text, &whole, settingsLimits); err != nil {
		return nil, err
	}
	servers, _ := whole["mcpServers"].(map[string]any)
	for server, entry := range servers {
		fields, _ := entry.(map[string]any)
		for _, field := range []string{"env", "headers"} {
			values, _ := fields[field].(map[string]any)
			for name, v := range values {
				if s, ok := v.(string); ok {
					values[name] = value(server, field, name, s)
				} else {
					values[name] = logging.Redacted // no text, so it is refused anyway
				}
			}
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(whole)
	return out.Bytes(), err
}
