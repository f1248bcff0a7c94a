package config

import (
	"encoding/json"
	"errors"

	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
)

// openFolders takes the opened folders; ~ is the person's home.
func openFolders(home string) check {
	return listOf(say("폴더의 JSON 목록이어야 해요", "it should be a JSON list of folders"), func(text []byte) (string, error) {
		list, err := folders.Parse(text, home)
		return folders.Encode(list), err
	})
}

// listOf takes a list as JSON text or as the list itself; its value is the JSON text that read gives. An error of read that is no sentence
// is told as wrong.
func listOf(wrong problem, read func(text []byte) (string, error)) check {
	return func(raw any) (any, problem) {
		text, ok := raw.(string)
		if !ok {
			encoded, err := json.Marshal(raw)
			if err != nil {
				return nil, wrong
			}
			text = string(encoded)
		}
		kept, err := read([]byte(text))
		var why bilingual.Wrong
		switch {
		case errors.As(err, &why):
			return nil, new(why.Text)
		case err != nil:
			return nil, wrong
		}
		return kept, nil
	}
}
