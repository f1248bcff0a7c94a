package toolbox_test

import (
	"testing"
	"testing/fstest"

	"agentchat/backend/toolbox"
)

// A manual that is wrong is found the first time any is asked for.
func TestManualsThatAreWrong(t *testing.T) {
	for text, fine := range map[string]bool{
		`{"key":"song"}`: true, `{"key":"movie"}`: false, `{"key":"song","colour":"red"}`: false, `{"key":`: false,
	} {
		func() {
			defer func() {
				if wrong := recover(); (wrong == nil) != fine {
					t.Errorf("%s: %v", text, wrong)
				}
			}()
			manual := toolbox.Manuals(fstest.MapFS{"song.json": {Data: []byte(text)}})
			if spec := manual("song"); spec.Key != "song" {
				t.Errorf("%s: %+v", text, spec)
			}
			defer func() {
				if recover() == nil {
					t.Error("a manual that is not there")
				}
			}()
			manual("film")
		}()
	}
}
