package main

import (
	"os"
	"testing"
)

// What a person set stays theirs, and nothing of ours reaches the programs that are started once the window is there.
func TestWithoutDriver(t *testing.T) {
	for _, v := range noDriver {
		t.Setenv(v[0], "") // so that the test puts everything back
		if err := os.Unsetenv(v[0]); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GDK_GL", "always")
	restore := withoutDriver()
	for _, v := range noDriver[1:] {
		if got := os.Getenv(v[0]); got != v[1] {
			t.Errorf("%s is %q, want %q", v[0], got, v[1])
		}
	}
	if got := os.Getenv("GDK_GL"); got != "always" {
		t.Errorf("GDK_GL is %q: a person's word was lost", got)
	}
	restore()
	for _, v := range noDriver[1:] {
		if got, there := os.LookupEnv(v[0]); there {
			t.Errorf("%s is still %q", v[0], got)
		}
	}
	if got := os.Getenv("GDK_GL"); got != "always" {
		t.Errorf("GDK_GL is %q afterwards", got)
	}
}
