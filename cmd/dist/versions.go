package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aead.dev/minisign"

	"agentchat/backend/about"
	"agentchat/backend/update"
)

// believedFor is how long a list of versions may be believed: who keeps newer ones back from somebody can do so no longer. The makers
// sign anew before that, also when there is no newer version.
const believedFor = 90 * 24 * time.Hour

// versions writes the list by which programs find out that there is a newer one, with its signature, into a folder of packages as
// package.sh makes them. changes is a JSON file of what each version brings; key the file of a minisign secret key, whose password is in
// AGENTCHAT_UPDATE_PASSWORD.
func versions(folder, changes, key string) error {
	at, err := moment()
	if err != nil {
		return err
	}
	m := update.Manifest{Format: update.Format, Version: about.Version, Made: at, Expires: at.Add(believedFor)}
	if m.Changes, err = changesOf(changes, m.Version); err != nil {
		return err
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		kind, goos, arch := kindOf(f.Name())
		if kind == "" {
			continue
		}
		p := update.Package{Kind: kind, OS: goos, Arch: arch, URL: f.Name()}
		if p.Bytes, p.SHA256, err = digest(filepath.Join(folder, f.Name())); err != nil {
			return err
		}
		m.Packages = append(m.Packages, p)
	}
	if len(m.Packages) == 0 {
		return fmt.Errorf("there are no packages in %s", folder)
	}
	secret, err := minisign.PrivateKeyFromFile(os.Getenv("AGENTCHAT_UPDATE_PASSWORD"), key)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, update.ListName), text, 0o644); err != nil {
		return err
	}
	comment := "agentchat " + m.Version
	return os.WriteFile(filepath.Join(folder, update.SignatureName), minisign.SignWithComments(secret, text, comment, comment), 0o644)
}

// changesOf reads what a version brings: {"1.2.3": [{"ko": …, "en": …}]}.
func changesOf(file, version string) ([]update.Change, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all map[string][]update.Change
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	if len(all[version]) == 0 {
		return nil, fmt.Errorf("%s does not say what is new in %s", file, version)
	}
	return all[version], nil
}

// kindOf tells by its name what a file of dist/ is to a program that looks for a newer one, "" for what is none of its packages.
func kindOf(name string) (kind update.Kind, goos, arch string) {
	arch = "amd64"
	if strings.Contains(name, "arm64") || strings.Contains(name, "aarch64") {
		arch = "arm64"
	}
	switch {
	case !strings.HasPrefix(name, "agentchat_") && !strings.HasPrefix(name, "agentchat-"), strings.HasPrefix(name, "agentchat-engine"):
	case strings.HasSuffix(name, ".deb"):
		return update.KindDeb, "linux", arch
	case strings.HasSuffix(name, ".rpm"):
		return update.KindRPM, "linux", arch
	case strings.Contains(name, "-linux-") && strings.HasSuffix(name, ".tar.gz"):
		return update.KindArchive, "linux", arch
	case strings.HasSuffix(name, "-setup.exe"):
		return update.KindSetup, "windows", arch
	case strings.Contains(name, "-windows-") && strings.HasSuffix(name, ".zip"):
		return update.KindArchive, "windows", arch
	case strings.HasSuffix(name, ".dmg"):
		return update.KindDisk, "darwin", arch
	}
	return "", "", ""
}

func digest(path string) (n int64, sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	if n, err = io.Copy(h, f); err != nil {
		return 0, "", err
	}
	return n, hex.EncodeToString(h.Sum(nil)), nil
}
