package update

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"
	"time"

	"aead.dev/minisign"
	"golang.org/x/mod/semver"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/strictjson"
)

// Format is the only layout of a list that there is.
const Format = 1

// What a list may weigh, in bytes, and how many of each it may name.
const (
	maxManifest  = 64 << 10
	maxSignature = 4 << 10
	maxPackages  = 50
	maxChanges   = 50
	maxPackage   = 2 << 30
)

// Manifest is what the makers say of the newest version.
type Manifest struct {
	Format   int       `json:"format"`  // Format
	Version  string    `json:"version"` // 1.2.3, as wails.json has it
	Made     time.Time `json:"made"`    // a list that was made before one that was seen is a rollback
	Expires  time.Time `json:"expires"` // from then on somebody may be keeping newer ones back
	Changes  []Change  `json:"changes"` // what is new, most weighty first
	Packages []Package `json:"packages"`
}

// Change is one line of what is new.
type Change struct {
	KO string `json:"ko"`
	EN string `json:"en"`
}

// Package is one of the files that a version comes in.
type Package struct {
	Kind   Kind   `json:"kind"`
	OS     string `json:"os"`   // as GOOS
	Arch   string `json:"arch"` // as GOARCH
	URL    string `json:"url"`  // from the list's own address on, or whole
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hex
}

var manifestLimits = strictjson.Limits{Bytes: maxManifest, Depth: 4}

// Read checks a list's signature and then its form. It does not look at the clock; see Manifest.Fresh. Error: update_refused, whose detail
// says what is wrong.
func Read(key minisign.PublicKey, text, signature []byte) (Manifest, error) {
	if len(text) > maxManifest || len(signature) > maxSignature || !minisign.Verify(key, text, signature) {
		return Manifest{}, refused(nil, bilingual.Of("만든 사람의 서명이 아니에요", "it is not signed by the makers of this program"))
	}
	var m Manifest
	canonical, err := manifestLimits.Canonical(text)
	if err == nil {
		err = json.Unmarshal(canonical, &m)
	}
	if err == nil {
		err = m.wrong()
	}
	if err != nil {
		return Manifest{}, refused(err, bilingual.Of("목록을 읽을 수 없어요", "it cannot be read"))
	}
	return m, nil
}

func (m Manifest) wrong() error {
	switch {
	case m.Format != Format:
		return fmt.Errorf("format %d", m.Format)
	case !semver.IsValid("v" + m.Version):
		return fmt.Errorf("version %q", m.Version)
	case m.Made.IsZero() || !m.Expires.After(m.Made):
		return fmt.Errorf("made %s, expires %s", m.Made, m.Expires)
	case len(m.Packages) > maxPackages || len(m.Changes) > maxChanges:
		return fmt.Errorf("%d packages, %d changes", len(m.Packages), len(m.Changes))
	}
	for _, p := range m.Packages {
		if sum, err := hex.DecodeString(p.SHA256); err != nil || len(sum) != 32 {
			return fmt.Errorf("the SHA-256 of %s", p.URL)
		}
		if p.Bytes <= 0 || p.Bytes > maxPackage || p.file() == "" {
			return fmt.Errorf("%d bytes of %q", p.Bytes, p.URL)
		}
	}
	return nil
}

// Fresh tells whether a list may be believed now. seen is the newest that was believed before. Error: update_refused.
func (m Manifest) Fresh(seen Seen, now time.Time) error {
	switch {
	case m.Made.Before(seen.Made) || compare(m.Version, seen.Version) < 0:
		return refused(nil, bilingual.Of("전에 본 목록보다 오래됐어요", "it is older than one that was seen before"))
	case !now.Before(m.Expires):
		return refused(nil, bilingual.Of("목록의 기한이 지났어요. 컴퓨터의 날짜도 확인해 주세요", "its time is over; check this computer's date, too"))
	}
	return nil
}

// Seen is what is remembered of the newest list that was believed.
type Seen struct {
	Version string    `json:"version"`
	Made    time.Time `json:"made"`
}

// For gives the package for a kind, system and processor.
func (m Manifest) For(kind Kind, goos, arch string) (Package, bool) {
	for _, p := range m.Packages {
		if p.Kind == kind && p.OS == goos && p.Arch == arch {
			return p, true
		}
	}
	return Package{}, false
}

// file is the name under which a package is kept, "" if its address has none that is safe.
func (p Package) file() string {
	u, err := url.Parse(p.URL)
	if err != nil {
		return ""
	}
	name := path.Base(u.Path)
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || len(name) > 200 {
		return ""
	}
	for _, r := range name {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+~", r) {
			return ""
		}
	}
	return name
}

// compare orders versions; one that is none, such as that of a program that was not released, comes before all.
func compare(a, b string) int { return semver.Compare("v"+a, "v"+b) }

func refused(cause error, why bilingual.Text) error {
	return apperr.Wrap(cause, apperr.UpdateRefused, "detail", why)
}
