package archive

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/stream"
)

// What a backup may hold: far more than any person's shop, and less than fills a disk by a few bytes.
const (
	mostFiles    = 200_000
	mostManifest = 64 << 20
	mostBytes    = 256 << 30
)

// refuse says that a file is no backup, or none that can be trusted.
func refuse(form string, args ...any) error {
	return apperr.Wrap(fmt.Errorf(form, args...), apperr.NotABackup)
}

// named tells whether a file of a backup may be called so: it belongs to a shop and lies in no other place.
func named(name string) bool {
	if name == Ledger {
		return true
	}
	if name != path.Clean(name) || len(name) > 400 || strings.ContainsAny(name, "\\:\x00") || strings.HasPrefix(name, "/") {
		return false
	}
	parts := strings.Split(name, "/")
	if slices.ContainsFunc(parts, func(p string) bool { return p == "" || p == "." || p == ".." || strings.TrimRight(p, ". ") != p }) {
		return false
	}
	b, ok := belongsTo(name)
	return ok && (len(parts) > 1) == b.dir && len(parts) <= b.deep+1
}

// Backup is a file that was looked at.
type Backup struct {
	Manifest

	zip *zip.ReadCloser
	at  map[string]*zip.File
}

// Open reads what a backup says it holds. The contents are checked when they are read. Errors: not_a_backup.
func Open(file string) (*Backup, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, refuse("%w", err)
	}
	b := &Backup{zip: z, at: map[string]*zip.File{}}
	if err := b.read(); err != nil {
		_ = z.Close()
		return nil, err
	}
	return b, nil
}

// Close lets the file go.
func (b *Backup) Close() error { return b.zip.Close() }

func (b *Backup) read() error {
	if len(b.zip.File) > mostFiles {
		return refuse("%d files", len(b.zip.File))
	}
	for _, f := range b.zip.File {
		switch {
		case b.at[f.Name] != nil:
			return refuse("%q is there twice", f.Name)
		case f.Name != manifestName && !named(f.Name):
			return refuse("%q does not belong to a backup", f.Name)
		case !f.Mode().IsRegular():
			return refuse("%q is no file", f.Name)
		}
		b.at[f.Name] = f
	}
	m := b.at[manifestName]
	if m == nil || b.at[Ledger] == nil || m.UncompressedSize64 > mostManifest {
		return refuse("it has no manifest or no ledger")
	}
	in, err := m.Open()
	if err != nil {
		return refuse("%w", err)
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(in, mostManifest+1))
	if err == nil {
		err = json.Unmarshal(text, &b.Manifest)
	}
	switch {
	case err != nil:
		return refuse("%w", err)
	case b.Format != format:
		return refuse("its format is %q", b.Format)
	case b.Version > version:
		return apperr.New(apperr.StorageNewer)
	case len(b.Files) != len(b.at)-1:
		return refuse("%d of %d files are listed", len(b.Files), len(b.at)-1)
	}
	var sum int64
	for _, f := range b.Files {
		if at := b.at[f.Name]; at == nil || f.Name == manifestName || f.Bytes < 0 || at.UncompressedSize64 != uint64(f.Bytes) {
			return refuse("%q is not as it was listed", f.Name)
		}
		if sum += f.Bytes; sum > mostBytes {
			return refuse("it is too large")
		}
	}
	return nil
}

// Has tells whether it holds a file.
func (b *Backup) Has(name string) bool { return name != manifestName && b.at[name] != nil }

// runs tells whether one of its files is a program.
func (b *Backup) runs(name string) bool {
	of, _ := belongsTo(name)
	return of.runs && b.at[name].Mode()&0o111 != 0
}

// Count tells how many files it holds below a folder.
func (b *Backup) Count(folder string) (n int) {
	for _, f := range b.Files {
		if strings.HasPrefix(f.Name, folder+"/") {
			n++
		}
	}
	return n
}

// Copy writes one of its files, and tells when that is not what was listed. Errors: not_a_backup, what w says.
func (b *Backup) Copy(ctx context.Context, name string, w io.Writer) error {
	i := slices.IndexFunc(b.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return apperr.New(apperr.NotFound, "what", "file", "id", name)
	}
	listed := b.Files[i]
	in, err := b.at[name].Open()
	if err != nil {
		return refuse("%w", err)
	}
	defer func() { _ = in.Close() }()
	sum := sha256.New()
	from := &stream.Source{From: io.LimitReader(stream.Until(ctx, in), listed.Bytes+1)}
	n, err := io.Copy(io.MultiWriter(w, sum), from)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case from.Err != nil:
		return refuse("%q: %w", name, from.Err)
	case err != nil:
		return err
	case n != listed.Bytes || hex.EncodeToString(sum.Sum(nil)) != listed.SHA256:
		return refuse("%q is damaged", name)
	}
	return nil
}
