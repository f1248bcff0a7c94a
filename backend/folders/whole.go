package folders

import (
	"strings"
	"time"
)

// still is how long nothing may have been written to a file before it counts as whole.
const still = time.Second

// halfEnds are the endings of what programs have not finished bringing.
var halfEnds = []string{".part", ".crdownload", ".download", ".partial", ".opdownload", ".tmp", ".temp", ".filepart", ".!ut", ".aria2"}

// Half tells whether a file of this name is, by custom, one that is still being brought, or that an editor put aside.
func Half(name string) bool {
	name = strings.ToLower(name)
	for _, end := range halfEnds {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return strings.HasSuffix(name, "~")
}

// Whole tells whether nobody is writing the file any more, as far as this computer can tell.
func (a *At) Whole(now time.Time) bool {
	if age := now.Sub(a.Info.ModTime()); Half(a.Name) || age >= 0 && age < still {
		return false
	}
	f, err := a.Open()
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return !written(f)
}
