package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/strictjson"
)

// readForm reads a reply that is a closed form: one strict JSON value that fills a T and passes check. A form of nothing but pointers
// must have them all filled and takes no other members. Whatever is wrong is model_bad_output and said in words the model can use, so
// that it can be sent back.
func readForm[T any](reply string, check func(form *T) error) (form T, err error) {
	var none T
	var raw json.RawMessage
	if err := strictjson.Decode([]byte(reply), &raw, strictjson.Limits{Bytes: maxReplyBytes, Depth: maxDepth}); err != nil {
		return none, apperr.Wrap(err, apperr.ModelBadOutput)
	}
	read := json.NewDecoder(bytes.NewReader(raw))
	read.UseNumber()
	whole := len(unfilled(form)) == reflect.TypeFor[T]().NumField()
	if whole {
		read.DisallowUnknownFields()
	}
	if err := read.Decode(&form); err != nil {
		return none, apperr.Wrap(fmt.Errorf("%w: %w", strictjson.ErrMismatch, err), apperr.ModelBadOutput)
	}
	if missing := unfilled(form); whole && len(missing) > 0 {
		return none, bad("missing: %s", strings.Join(missing, ", "))
	}
	if err := check(&form); err != nil {
		return none, err
	}
	return form, nil
}

// unfilled names the pointers of a form that nothing was said for.
func unfilled(form any) (names []string) {
	v := reflect.ValueOf(form)
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Pointer && v.Field(i).IsNil() {
			names = append(names, v.Type().Field(i).Tag.Get("json"))
		}
	}
	return names
}

func bad(format string, args ...any) error {
	return apperr.Wrap(fmt.Errorf(format, args...), apperr.ModelBadOutput)
}

// clean makes a model's words in a form fit for people.
func clean(text string) string { return strings.TrimSpace(norm.NFC.String(Plain(text))) }

// oneLine makes a model's words fit to stand in one line.
func oneLine(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }

// formMembers are what tells a form from other JSON: one of these sets of members stands in each.
var formMembers = [][]string{{"route"}, {"act"}, {"tool", "args"}, {"inScope"}, {"needPrevious"}, {"uses"}, {"sufficient"}}

// IsForm tells whether a text is what a planner, a tool chooser, a solver or a librarian replies with: a small model that loses the
// thread says such a form again. Other JSON may be what the customer wanted.
func IsForm(text string) bool {
	var form map[string]json.RawMessage
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &form) != nil {
		return false
	}
	for _, members := range formMembers {
		has := 0
		for _, name := range members {
			if _, said := form[name]; said {
				has++
			}
		}
		if has == len(members) {
			return true
		}
	}
	return false
}
