package logging

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// secretName finds names whose values are secrets, in the spellings of JSON, headers, queries and shells.
const secretName = `[\w.-]*(?:passwords?|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|credentials?|authorization|cookie)|pwd|비밀번호|암호|인증키` //nolint:gosec // names of secrets, no secret

// rule takes secrets out of a text. keep is what stays in front of the secret.
type rule struct {
	pattern *regexp.Regexp
	keep    string
}

// rules run in order: headers first, because they own the rest of their line.
var rules = []rule{
	// Authorization: Bearer abc, "Cookie":"a=b; c=d"
	{regexp.MustCompile(`(?i)\b((?:proxy-)?authorization|(?:set-)?cookie)(\\?["']?\s*[:=]\s*\\?["']?)[^\r\n"'\\]+`), "$1$2"},
	{regexp.MustCompile(`(?i)\b(bearer)(\s+)[\w.~+/=-]{6,}`), "$1$2"},
	// password=abc, "api_key": "abc", \"token\":\"abc\"; one word, or everything in quotes
	{regexp.MustCompile(`(?i)(` + secretName + `)(\\*["']?\s*[:=]\s*)(?:\\+"(?:[^"\\]|\\[^"])*\\+"|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'\\,;&<>(){}\[\]]+)`), "$1$2"},
	// --api-key abc, "--token","abc": what follows a flag with such a name, unless it is the next flag
	{regexp.MustCompile(`(?i)((?:^|[\s"'=(\[])-{1,2}(?:` + secretName + `))(\\*["']?(?:\s*,\s*|\s+))(?:\\+"(?:[^"\\]|\\[^"])*\\+"|"(?:[^"\\]|\\.)*"|'[^']*'|[^-\s"'\\,;&<>(){}\[\]][^\s"'\\,;&<>(){}\[\]]*)`), "$1$2"},
	{regexp.MustCompile(`(?i)(\b(?:password|passphrase)\s+is\s+|(?:비밀번호|암호|인증키)(?:는|은|가|이)\s*)()\S+`), "$1"},
	{regexp.MustCompile(`(?i)([?&](?:key|sig|signature|code|auth)=)()[^&\s"'#]+`), "$1"},
	// https://name:password@host, https://token@host: what stands before the @ is nobody's business
	{regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.-]*://)()[^/?#\s"']+@`), "$1"},
	// keys that can be told by their shape
	{regexp.MustCompile(`\b()()(?:[spr]k[-_][\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|xox[abprs]-[\w-]{10,}|hf_\w{20,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)`), ""},
	{regexp.MustCompile(`()()-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|$)`), ""},
}

// Redact takes secrets out of a text: passwords, tokens and keys next to their names, authorization headers, names and
// passwords in addresses, and keys that can be told by their shape. It would rather take out a word too many.
func Redact(text string) string {
	text = conceal(text)
	if !suspicious(text) {
		return text
	}
	for _, r := range rules {
		text = r.pattern.ReplaceAllString(text, r.keep+Redacted)
	}
	return text
}

// RedactJSON takes secrets out of a JSON value: every value of a field with a secret's name, and secrets inside texts.
// The order of fields stays. What is not JSON is treated as text.
func RedactJSON(value []byte) []byte {
	if out := known.out.Load(); out != nil {
		value = []byte(out.Replace(string(value)))
	}
	if !suspicious(value) {
		return value
	}
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	var out bytes.Buffer
	out.Grow(len(value))
	if err := copyValue(&out, dec, false); err != nil || trailing(dec) {
		return []byte(Redact(string(value)))
	}
	return out.Bytes()
}

func trailing(dec *json.Decoder) bool {
	_, err := dec.Token()
	return err != io.EOF
}

// copyValue writes the decoder's next value to out. In a secret value every text and number is replaced.
func copyValue(out *bytes.Buffer, dec *json.Decoder, secret bool) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Delim:
		return copyInner(out, dec, t, secret)
	case string:
		if secret && t != "" {
			t = Redacted
		}
		return writeJSON(out, Redact(t))
	case json.Number:
		if secret {
			return writeJSON(out, Redacted)
		}
		out.WriteString(t.String())
		return nil
	default: // true, false, null tell nothing
		return writeJSON(out, t)
	}
}

func copyInner(out *bytes.Buffer, dec *json.Decoder, open json.Delim, secret bool) error {
	out.WriteString(open.String())
	next := false // the next of a list is the value of the flag before it
	for i := 0; dec.More(); i++ {
		if i > 0 {
			out.WriteByte(',')
		}
		hidden := secret
		if open == '{' {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			name, _ := token.(string)
			if err := writeJSON(out, name); err != nil {
				return err
			}
			out.WriteByte(':')
			hidden = hidden || isSecretName(name)
		}
		said := out.Len()
		if err := copyValue(out, dec, hidden || next); err != nil {
			return err
		}
		next = open == '[' && !next && namesSecret(out.Bytes()[said:])
	}
	end, err := dec.Token()
	if err != nil {
		return err
	}
	out.WriteString(end.(json.Delim).String())
	return nil
}

// namesSecret tells whether a JSON text is a flag whose value is the next.
func namesSecret(quoted []byte) bool {
	var arg string
	if len(quoted) == 0 || quoted[0] != '"' || json.Unmarshal(quoted, &arg) != nil {
		return false
	}
	value, named := SecretArg(arg)
	return named && value == ""
}

func writeJSON(out *bytes.Buffer, value any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // Encode ends with a line break
	return nil
}

var secretField = regexp.MustCompile(`(?i)^(?:` + secretName + `)$`)

// notSecret are names that end like a secret's but count or time the model's tokens.
var notSecret = map[string]bool{"firsttoken": true, "maxtoken": true, "pertoken": true, "mspertoken": true}

func isSecretName(name string) bool {
	return secretField.MatchString(name) && !notSecret[strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))]
}

// redactor cleans each line before anyone sees it.
type redactor struct{ to io.Writer }

// Write implements io.Writer. line is one JSON object and a line break.
func (r redactor) Write(line []byte) (int, error) {
	clean := RedactJSON(bytes.TrimSuffix(line, []byte{'\n'}))
	if _, err := r.to.Write(append(clean[:len(clean):len(clean)], '\n')); err != nil {
		return 0, err
	}
	return len(line), nil
}
