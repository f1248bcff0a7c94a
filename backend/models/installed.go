package models

import (
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/provider/ollama"
)

// ListInstalled shows what a server has. serving is the model of every role without one of its own, "" when there is
// none.
func ListInstalled(have []ollama.Details, ram RAM, roles []Role, serving string) []Installed {
	list := make([]Installed, len(have))
	for i, d := range have {
		list[i] = Installed{
			Name: d.Name, Bytes: d.Bytes, Memory: d.Memory, Fits: ram.Fits(d.Memory), Loaded: d.Loaded, LoadedBytes: d.LoadedBytes,
			Context: d.LoadedContext, Quantization: d.Quantization, Parameters: d.Parameters, Embedding: d.Embedding, Thinking: d.Thinking,
			Roles: []string{},
		}
		for _, r := range roles {
			model := strings.TrimPrefix(r.Model, ollama.Name+"/") // a role names its model with the server, or without
			if model == "" {
				model = serving
			}
			if serving != "" && ollama.SameModel(model, d.Name) {
				list[i].Roles = append(list[i].Roles, r.Role)
			}
		}
	}
	return list
}

// CheckName refuses what cannot be a model's name. Errors: invalid_args.
func CheckName(name string) error {
	if ollama.ValidName(name) {
		return nil
	}
	return apperr.New(apperr.InvalidArgs, "detail", badName{})
}
