package toolbox

import (
	"encoding/json"

	"agentchat/backend/language/bilingual"
)

// ParamName is what people read instead of a parameter's key, and instead of the values it may have where these are keys, too.
type ParamName struct {
	Name   bilingual.Text            `json:"name"`
	Values map[string]bilingual.Text `json:"values,omitempty"`
}

// Names gives the names that the manual has for its parameters (x-name and x-values in their schema). An outside tool has none: names from
// its server are not trusted, since they could make one value look like another, so people see its keys.
func (s Spec) Names() map[string]ParamName {
	if s.Outside != "" {
		return nil
	}
	var params struct {
		Properties map[string]struct {
			Name   bilingual.Text            `json:"x-name"`
			Values map[string]bilingual.Text `json:"x-values"`
		} `json:"properties"`
	}
	if json.Unmarshal(s.Params, &params) != nil {
		return nil
	}
	names := map[string]ParamName{}
	for key, p := range params.Properties {
		if p.Name != (bilingual.Text{}) {
			names[key] = ParamName{Name: p.Name, Values: p.Values}
		}
	}
	return names
}
