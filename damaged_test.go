package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/shop"
)

// A damaged data file is a question to the person, never the program's own decision.
func TestADamagedDataFileIsAQuestion(t *testing.T) {
	for name, c := range map[string]struct {
		backup  bool
		answers []bool // in order
		code    apperr.Code
	}{
		"no backup, nothing wanted": {answers: []bool{false}, code: apperr.StorageCorrupt},
		"no backup, begin anew":     {answers: []bool{true}},
		"the backup":                {backup: true, answers: []bool{true}},
		"rather begin anew":         {backup: true, answers: []bool{false, true}},
		"nothing wanted":            {backup: true, answers: []bool{false, false}, code: apperr.StorageCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			options := shop.Options{Config: config.Options{DataDir: dir, Env: []string{}}}
			s, err := shop.Open(t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			if c.backup {
				if _, err := s.BackupNow(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			damaged := strings.Repeat("damaged ", 2000)
			path := filepath.Join(dir, "agentchat.db")
			if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, beside := range []string{"-wal", "-shm"} { // which would mend it, where closing left one
				if err := os.Remove(path + beside); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			}
			asked := 0
			s, err = openShop(t.Context(), options, func(context.Context, string, string) bool {
				asked++
				return c.answers[asked-1]
			})
			if apperr.CodeOf(err) != c.code || asked != len(c.answers) {
				t.Fatalf("%v after %d questions", err, asked)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			beside, err := filepath.Glob(path + ".damaged-*")
			if err != nil {
				t.Fatal(err)
			}
			if c.code != "" {
				beside = []string{path}
			}
			if len(beside) != 1 {
				t.Fatalf("kept: %v", beside)
			}
			if text, err := os.ReadFile(beside[0]); err != nil || string(text) != damaged {
				t.Errorf("%d bytes, %v", len(text), err)
			}
		})
	}
}
