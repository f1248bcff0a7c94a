package config

import (
	"encoding/json"
	"errors"

	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
)

// openFolders takes the opened folders as JSON text or as the list itself; ~ is the person's home. Their value is JSON text.
func openFolders(home string) check {
	wrong := say("폴더의 JSON 목록이어야 해요", "it should be a JSON list of folders")
	return func(raw any) (any, problem) {
		text, ok := raw.(string)
		if !ok {
			encoded, err := json.Marshal(raw)
			if err != nil {
				return nil, wrong
			}
			text = string(encoded)
		}
		list, err := folders.Parse([]byte(text), home)
		var why bilingual.Wrong
		switch {
		case errors.As(err, &why):
			return nil, new(why.Text)
		case err != nil:
			return nil, wrong
		}
		return folders.Encode(list), nil
	}
}
