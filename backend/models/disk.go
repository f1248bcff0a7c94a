package models

import (
	"os"
	"path/filepath"

	"github.com/shirou/gopsutil/v4/disk"
)

// FreeDisk is how many bytes the disk has left that an Ollama on this computer keeps its models on, as far as this
// program can tell; ok is false when it cannot. own is the folder of the models when it is known.
func FreeDisk(own string) (free int64, ok bool) {
	dirs := modelFolders()
	if own != "" {
		dirs = []string{own}
	}
	for _, dir := range dirs {
		if usage, err := disk.Usage(dir); err == nil {
			return int64(usage.Free), true //nolint:gosec // no disk is larger than 2^63
		}
	}
	return 0, false
}

// modelFolders are the places where the models may be, the likeliest first: as it is set, a person's own, the system
// service's, and the disk that a person's own would come to.
func modelFolders() []string {
	var dirs []string
	if set := os.Getenv("OLLAMA_MODELS"); set != "" {
		dirs = append(dirs, set)
	}
	home, err := os.UserHomeDir()
	if err == nil {
		dirs = append(dirs, filepath.Join(home, ".ollama", "models"))
	}
	dirs = append(dirs, "/usr/share/ollama/.ollama/models")
	if err == nil {
		dirs = append(dirs, home)
	}
	return dirs
}
