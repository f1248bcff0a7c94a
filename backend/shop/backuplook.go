package shop

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"agentchat/backend/archive"
	"agentchat/backend/config"
	"agentchat/backend/store"
	"agentchat/backend/tools/mcp"
)

// BackupHolds is what a backup, or the shop as it is, has in it. Newest is when the newest message was said, RFC 3339, "" for none.
type BackupHolds struct {
	Chats       int    `json:"chats"`
	Messages    int    `json:"messages"`
	Documents   int    `json:"documents"`
	Notes       int    `json:"notes"`
	Orders      int    `json:"orders"`
	Favourites  int    `json:"favourites"`
	Attachments int    `json:"attachments"`
	Newest      string `json:"newest,omitempty"`
}

// BackupFile is a file that may take the place of everything, and what that would mean here. Made is RFC 3339, "" when it does not say. Whole tells
// whether settings, outside tools, services and attachments are in it as well. Missing are paths in it that this computer does not have, Keys the
// keys that must be entered again, and Servers the outside servers it would start, with their commands.
type BackupFile struct {
	Path    string      `json:"path"`
	Made    string      `json:"made,omitempty"`
	Program string      `json:"program,omitempty"`
	Bytes   int64       `json:"bytes"`
	Whole   bool        `json:"whole"`
	Holds   BackupHolds `json:"holds"`
	Now     BackupHolds `json:"now"`
	Missing []string    `json:"missing"`
	Keys    []string    `json:"keys"`
	Servers []string    `json:"servers"`
}

// LookAtBackup reads a file that a person chose, and changes nothing. Errors: not_a_backup, storage_corrupt, storage_newer, storage errors.
func (s *Shop) LookAtBackup(ctx context.Context, path string) (BackupFile, error) {
	v := BackupFile{Path: path, Missing: []string{}, Keys: []string{}, Servers: []string{}}
	now, err := s.store.Contents(ctx)
	if err != nil {
		return v, err
	}
	attached, err := s.Attachments(ctx)
	if err != nil {
		return v, err
	}
	v.Now = holds(now, attached.Count)
	if info, err := os.Stat(path); err == nil {
		v.Bytes = info.Size()
	}
	ledger := path
	if !isLedger(path) {
		b, err := archive.Open(path)
		if err != nil {
			return v, err
		}
		defer func() { _ = b.Close() }()
		v.Whole, v.Made, v.Program, v.Keys = true, b.Made.UTC().Format(time.RFC3339), b.Program, append(v.Keys, b.Keys...)
		v.Holds.Attachments = b.Count("attachments")
		if err := s.lookInto(ctx, b, &v); err != nil {
			return v, err
		}
		var done func()
		if ledger, done, err = s.extracted(ctx, b, archive.Ledger); err != nil {
			return v, err
		}
		defer done()
	}
	if err := store.Examine(ctx, ledger); err != nil {
		return v, err
	}
	c, err := store.ContentsOf(ctx, ledger)
	if err != nil {
		return v, err
	}
	v.Holds = holds(c, v.Holds.Attachments)
	v.miss(c.Folders...)
	return v, nil
}

func holds(c store.Contents, attachments int) BackupHolds {
	h := BackupHolds{
		Chats: c.Chats, Messages: c.Messages, Documents: c.Documents, Notes: c.Notes, Orders: c.Orders, Favourites: c.Favourites, Attachments: attachments,
	}
	if !c.Newest.IsZero() {
		h.Newest = c.Newest.Format(time.RFC3339)
	}
	return h
}

// miss notes the paths that are not on this computer.
func (v *BackupFile) miss(paths ...string) {
	for _, p := range paths {
		if _, err := os.Stat(p); p != "" && err != nil && !slices.Contains(v.Missing, p) {
			v.Missing = append(v.Missing, p)
		}
	}
}

// lookInto reads the settings and the outside servers of a backup.
func (s *Shop) lookInto(ctx context.Context, b *archive.Backup, v *BackupFile) error {
	if b.Has(config.FileName) {
		file, done, err := s.extracted(ctx, b, config.FileName)
		if err != nil {
			return err
		}
		defer done()
		if c, _, err := config.Load(config.Options{File: file, DataDir: s.Config.Get().DataDir, Env: []string{}, Look: true}); err == nil {
			v.missOf(c)
		}
	}
	if !b.Has(mcp.FileName) {
		return nil
	}
	file, done, err := s.extracted(ctx, b, mcp.FileName)
	if err != nil {
		return err
	}
	defer done()
	text, err := os.ReadFile(file)
	if err != nil {
		return asStorage(err)
	}
	for _, server := range mcp.ReadSettings(text).Servers {
		if server.Disabled {
			continue
		}
		v.Servers = append(v.Servers, server.Name+": "+reached(server))
		v.miss(server.Dir)
		if server.Command == "" {
			continue
		}
		if file, ok := mcp.BundleFile(server.Command); ok && b.Has(file) {
			continue // it comes along
		}
		if _, err := exec.LookPath(server.Command); err != nil {
			v.Missing = append(v.Missing, server.Command)
		}
	}
	return nil
}

// reached is what is started for a server, or whom it is asked of. Arguments and paths may hold secrets.
func reached(s mcp.Server) string {
	if u, err := url.Parse(s.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return s.Command
}

// missOf notes the folders of settings that somebody chose.
func (v *BackupFile) missOf(c *config.Config) {
	settings := c.Get()
	for _, f := range settings.Folders {
		v.miss(f.Path)
	}
	for key, path := range map[string]string{config.KeyMusicFolder: settings.MusicFolder, config.KeyVideoFolder: settings.VideoFolder} {
		if path != c.Default(key) {
			v.miss(path)
		}
	}
	if settings.LibraryFile != "" {
		v.miss(filepath.Dir(settings.LibraryFile))
	}
}
