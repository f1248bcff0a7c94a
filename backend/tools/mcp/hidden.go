package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentchat/backend/logging"
	"agentchat/backend/strictjson"
)

// secrets are the values of a server's env, headers and arguments that must not be seen anywhere.
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
	for _, text := range append([]string{s.URL}, s.Args...) { // an argument may be an address
		for _, v := range addressSecrets(text) {
			if !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(s.argKeys)) {
		add(s.argKeys[place])
	}
	for i, arg := range s.Args {
		if secretAt(s.Args, i) && !argKey.MatchString(arg) {
			value, _ := logging.SecretArg(arg)
			add(cmp.Or(value, arg))
		}
	}
	return byLength(found)
}

// secretAt tells whether an argument is, or carries, the value of a flag with a secret's name.
func secretAt(args []string, i int) bool {
	if value, named := logging.SecretArg(args[i]); named {
		return value != ""
	}
	if i == 0 {
		return false
	}
	value, named := logging.SecretArg(args[i-1])
	return named && value == ""
}

// byLength puts the longest first: one secret may hold another.
func byLength(found []string) []string {
	slices.SortFunc(found, func(a, b string) int { return len(b) - len(a) })
	return found
}

// addressSecrets are what an address carries that is for its server alone, as it is written there and as it reads: what stands
// before the @, the values of its query, and steps of its path that no person would name.
func addressSecrets(text string) (found []string) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil
	}
	add := func(texts ...string) {
		for _, v := range texts {
			if telling(v) {
				found = append(found, v)
			}
		}
	}
	if u.User != nil {
		add(u.User.Username())
		if password, ok := u.User.Password(); ok {
			add(password)
			found = append(found, u.User.String()) // as a whole also when it is short
		}
		raw, _, _ := strings.Cut(u.User.String(), ":")
		add(raw)
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		_, raw, _ := strings.Cut(pair, "=")
		add(raw)
		if v, err := url.QueryUnescape(raw); err == nil {
			add(v)
		}
	}
	for raw := range strings.SplitSeq(u.EscapedPath(), "/") {
		if v, err := url.PathUnescape(raw); err == nil && keyLike(v) {
			add(raw, v)
		}
	}
	return found
}

// keyLike tells whether a step of a path looks like a key: long, and of letters and digits mixed.
func keyLike(v string) bool {
	const shortest = 16
	return len(v) >= shortest && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter)
}

// withPassword finds a name and its password before the place they are for, also where that is written as no address is.
var withPassword = regexp.MustCompile(`[^\s:/@]+:[^\s:/@]+@`)

// keyValue tells whether a value is a key by its looks, whatever it is called.
func keyValue(v string) bool {
	if logging.Redact(v) != v || withPassword.MatchString(v) || len(addressSecrets(v)) > 0 {
		return true
	}
	return !filepath.IsAbs(v) && slices.ContainsFunc(strings.FieldsFunc(v, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), keyLike)
}

// coverAddress gives an address as it may be seen.
func coverAddress(text string) string {
	own := newRedactor(byLength(addressSecrets(text)))
	return own.all(text)
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

// covered is a secret value as it may be seen.
func covered(field, value string) string {
	switch {
	case value == "":
		return ""
	case field == "url":
		return coverAddress(value)
	}
	if own, named := logging.SecretArg(value); field == "args" && named {
		return strings.TrimSuffix(value, own) + logging.Redacted
	}
	return logging.Redacted
}

// hide gives the text of mcp.json with every value of env and headers, of a flag with a secret's name, and what an address carries, covered. A text that is
// no JSON is not shown.
func hide(text []byte) string {
	shown, err := walkSecrets(text, func(_, field, _, value string) string { return covered(field, value) })
	if err != nil {
		return ""
	}
	return string(shown)
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
		if kept, ok := held[[3]string{server, field, name}]; ok && strings.Contains(value, logging.Redacted) && value == covered(field, kept) {
			return kept
		}
		return value
	})
}

// walkSecrets rewrites every value of env and headers, of arguments that are secrets, and every address. What has another shape than expected stays as it is.
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
		if address, ok := fields["url"].(string); ok {
			fields["url"] = value(server, "url", "", address)
		}
		list, _ := fields["args"].([]any)
		args := make([]string, len(list))
		for i := range list {
			args[i], _ = list[i].(string)
		}
		for i, arg := range args {
			if secretAt(args, i) {
				list[i] = value(server, "args", strconv.Itoa(i), arg)
			}
		}
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
