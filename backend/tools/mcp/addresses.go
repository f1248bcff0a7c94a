package mcp

import (
	"regexp"
	"slices"
	"strings"
)

// Templates of addresses are those of RFC 6570, with texts for values. The library that the protocol's own library brings along writes letters beyond ASCII
// by their code points and not as UTF-8, so no server would know them again.

var expression = regexp.MustCompile(`\{([^{}]*)\}`)

// variable is one of a template, with how much of it is wanted, which texts that people fill in have no use for.
var variable = regexp.MustCompile(`^([A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+(\*|:[1-9][0-9]{0,3})?$`)

// filling is how an expression writes its values.
type filling struct {
	first, between string
	named, reserve bool   // name=value; letters that mean something in addresses stay as they are
	empty          string // stands behind the name of an empty value
}

var fillings = map[byte]filling{
	0: {between: ","}, '+': {between: ",", reserve: true}, '#': {first: "#", between: ",", reserve: true}, '.': {first: ".", between: "."},
	'/': {first: "/", between: "/"}, ';': {first: ";", between: ";", named: true}, '?': {first: "?", between: "&", named: true, empty: "="},
	'&': {first: "&", between: "&", named: true, empty: "="},
}

// variables are what a template wants to be told, each once; false: it is none.
func variables(template string) (names []string, ok bool) {
	for _, found := range expression.FindAllStringSubmatch(template, -1) {
		_, list, ok := parts(found[1])
		if !ok {
			return nil, false
		}
		for _, name := range list {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, !strings.ContainsAny(expression.ReplaceAllString(template, ""), "{}")
}

// parts are the operator of an expression and its variables.
func parts(inside string) (f filling, names []string, ok bool) {
	f = fillings[0]
	if inside != "" {
		if of, marked := fillings[inside[0]]; marked {
			f, inside = of, inside[1:]
		}
	}
	for name := range strings.SplitSeq(inside, ",") {
		if !variable.MatchString(name) {
			return f, nil, false
		}
		name, _, _ = strings.Cut(strings.TrimSuffix(name, "*"), ":")
		names = append(names, name)
	}
	return f, names, true
}

// filled is the address that a template and values make; a value that is missing leaves its place out.
func filled(template string, values map[string]string) string {
	return expression.ReplaceAllStringFunc(template, func(whole string) string {
		f, names, _ := parts(whole[1 : len(whole)-1])
		var list []string
		for _, name := range names {
			value, there := values[name]
			switch {
			case !there:
			case f.named && value == "":
				list = append(list, name+f.empty)
			case f.named:
				list = append(list, name+"="+inAddress(value, f.reserve))
			default:
				list = append(list, inAddress(value, f.reserve))
			}
		}
		if len(list) == 0 {
			return ""
		}
		return f.first + strings.Join(list, f.between)
	})
}

// inAddress writes a value as it stands in an address.
func inAddress(value string, reserve bool) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(value) {
		c := value[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
		if plain || reserve && strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}
