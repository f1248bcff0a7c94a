package shop

import (
	"encoding/json"
	"strings"

	"agentchat/backend/language/refer"
)

// listed is what a result lists, as its tool's manual says: the schema of the result says of one of its lists of what kind its things are
// (x-things) and which field holds the name by which tools take them (x-called).
func (s *Shop) listed(tool string, data json.RawMessage) (list refer.Listing) {
	spec, err := s.box.Spec(tool)
	if err != nil || len(data) == 0 {
		return list
	}
	var schema struct {
		Properties map[string]struct {
			Things refer.Kind `json:"x-things"`
			Called string     `json:"x-called"`
		} `json:"properties"`
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(spec.Result, &schema) != nil || json.Unmarshal(data, &fields) != nil {
		return list
	}
	for field, p := range schema.Properties {
		var items []map[string]any
		if p.Things == "" || json.Unmarshal(fields[field], &items) != nil {
			continue
		}
		list.Kind = p.Things
		for _, item := range items {
			name, _ := item[p.Called].(string)
			list.Names = append(list.Names, strings.TrimSuffix(name, "…"))
		}
	}
	return list
}
