package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/slot"
	"agentchat/backend/toolbox"
)

// decode reads canonical arguments; numbers stay exact.
func decode(args json.RawMessage) map[string]any {
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	object := map[string]any{}
	if dec.Decode(&object) != nil {
		return map[string]any{}
	}
	return object
}

// scalar reads a condition's value: a text, an exact number or a bool; nil for anything else.
func scalar(raw json.RawMessage) (value any, text string, isText bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&value) != nil {
		return nil, "", false
	}
	switch v := value.(type) {
	case string:
		return v, v, true
	case json.Number, bool:
		return v, "", false
	}
	return nil, "", false
}

// leaf is a value that holds no others, and where it stands.
type leaf struct {
	arg   string
	value any
}

// among tells whether a list holds the same value.
func (l leaf) among(list []leaf) bool {
	return slices.ContainsFunc(list, func(o leaf) bool { return same(l.value, o.value) })
}

// leaves are the values inside a value, in a settled order. Names inside an object count as values too: a model writes them.
func leaves(arg string, value any) []leaf {
	switch v := value.(type) {
	case []any:
		var list []leaf
		for i, e := range v {
			list = append(list, leaves(fmt.Sprintf("%s[%d]", arg, i), e)...)
		}
		return list
	case map[string]any:
		var list []leaf
		for _, key := range slices.Sorted(maps.Keys(v)) {
			list = append(list, leaf{arg, key})
			list = append(list, leaves(arg+"."+key, v[key])...)
		}
		return list
	case nil:
		return nil
	}
	return []leaf{{arg, value}}
}

func lookup(args map[string]any, name string) (any, bool) {
	var value any = args
	for step := range strings.SplitSeq(name, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = object[step]; !ok {
			return nil, false
		}
	}
	return value, true
}

// maxDigits bounds numbers, so that an exponent cannot make one of a gigabyte.
const maxDigits = 64

// numeric reads a number, exactly; a text counts when it is one, or an amount of money.
func numeric(value any) (*big.Rat, bool) {
	text := ""
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.ReplaceAll(strings.TrimSpace(v), ",", "")
		if won, ok := slot.Money(v); ok && strings.Trim(text, "0123456789.+-") != "" {
			return new(big.Rat).SetInt64(won), true
		}
	default:
		return nil, false
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); len(text) > maxDigits || ok && len(strings.Trim(exponent, "+-")) > 3 {
		return nil, false
	}
	if strings.Trim(text, "0123456789.+-eE") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// normal is a text as it is compared: one form of every character, no case, one space where there are many.
func normal(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), " ")
}

// hostOf is the host of an address, or of a bare name such as example.org:8080, in lower case; "" if there is none.
func hostOf(text string) string {
	text = strings.TrimSpace(strings.ToLower(norm.NFKC.String(text)))
	if strings.ContainsAny(text, " \\\t\n\r") {
		return ""
	}
	if strings.HasPrefix(text, "//") {
		text = "http:" + text
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	if strings.ContainsFunc(host, func(r rune) bool { return unicode.IsControl(r) || r == '*' }) {
		return ""
	}
	return host
}

// siteOf is the scheme, host and port of a full address, "" of anything else.
func siteOf(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	host := hostOf(text)
	if err != nil || u.Scheme == "" || u.Host == "" || host == "" || u.User != nil { // mailto:a@b is no site
		return ""
	}
	scheme, port := strings.ToLower(u.Scheme), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + host + ":" + port
}

// properties are the parameters of a tool as its schema has them. The map is only read.
func properties(s toolbox.Spec) map[string]property {
	if last := lately.Load(); last != nil && last.params == string(s.Params) {
		return last.properties
	}
	var schema struct {
		Properties map[string]property `json:"properties"`
	}
	if json.Unmarshal(s.Params, &schema) != nil {
		schema.Properties = nil
	}
	lately.Store(&readSchema{string(s.Params), schema.Properties})
	return schema.Properties
}

// lately is the schema that was read last: one decision asks for the parameters of one tool many times over.
var lately atomic.Pointer[readSchema]

type readSchema struct {
	params     string
	properties map[string]property
}

type property struct {
	Format  string          `json:"format"`
	Default json.RawMessage `json:"default"`
	Const   json.RawMessage `json:"const"`
}

// consequential are the parameters that count. Of a stranger's tool, all do, whatever its manual says.
func consequential(s toolbox.Spec) []string {
	if s.Outside != "" {
		return slices.Sorted(maps.Keys(properties(s)))
	}
	return s.Consequential
}

// traced are the parameters whose values are looked up in what the customer said: those that count, and of a tool that nobody
// is asked about all.
func traced(s toolbox.Spec) []string {
	if free(s) {
		return slices.Sorted(maps.Keys(properties(s)))
	}
	return consequential(s)
}

// bound are the parameters that an approval of more than one call binds: those that count, and besides them all but what holds
// content; of a tool of the shop that only reads, where it reads. Of a stranger's tool, whose word for what it does nobody has
// checked, all are bound.
func bound(s toolbox.Spec) []string {
	all := slices.Sorted(maps.Keys(properties(s)))
	return slices.DeleteFunc(all, func(arg string) bool {
		switch {
		case s.Outside != "" || slices.Contains(s.Consequential, arg):
			return false
		case s.Effect == toolbox.EffectRead:
			return !isPath(s, arg) && !isAddress(s, arg)
		}
		return slices.Contains(s.Content, arg)
	})
}

// isAddress and isPath go by the schema's format ("uri", "path") and, without one, by the parameter's name.
func isAddress(s toolbox.Spec, arg string) bool {
	format, name := properties(s)[arg].Format, strings.ToLower(arg)
	return format == "uri" || format == "url" || format == "hostname" || format == "" && (name == "url" || name == "uri" || name == "link" || name == "address" || name == "host")
}

func isPath(s toolbox.Spec, arg string) bool {
	format, name := properties(s)[arg].Format, strings.ToLower(arg)
	if format != "" {
		return format == "path"
	}
	return slices.ContainsFunc([]string{"path", "file", "folder", "dir"}, func(word string) bool { return strings.Contains(name, word) })
}
