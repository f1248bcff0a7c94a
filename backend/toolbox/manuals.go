package toolbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"sync"
)

// Manuals reads the embedded manuals of a package of tools (one JSON file per tool, named by its key) and returns a function that gives the
// manual of a key. A manual that is missing or does not parse is a broken build and panics at the first call; each package has a test that
// reads them all. Safe for concurrent use.
func Manuals(files fs.FS) func(key string) Spec {
	all := sync.OnceValue(func() map[string]Spec {
		names, err := fs.Glob(files, "*.json")
		if err != nil {
			panic("manuals: " + err.Error())
		}
		specs := map[string]Spec{}
		for _, name := range names {
			var spec Spec
			text, err := fs.ReadFile(files, name)
			if err == nil {
				dec := json.NewDecoder(bytes.NewReader(text))
				dec.DisallowUnknownFields()
				err = dec.Decode(&spec)
			}
			if err == nil && spec.Key+".json" != path.Base(name) {
				err = fmt.Errorf("it is that of %q", spec.Key)
			}
			if err != nil {
				panic(fmt.Sprintf("manual %s: %v", name, err))
			}
			specs[spec.Key] = spec
		}
		return specs
	})
	return func(key string) Spec {
		spec, ok := all()[key]
		if !ok {
			panic("there is no manual of " + key)
		}
		return spec
	}
}
