package engine

import "os/exec"

const programName = "ollama.exe"

// command needs no guard here: the job object of its group ends with this process.
func command(program string, args ...string) *exec.Cmd {
	return exec.Command(program, args...) //nolint:gosec,noctx // the engine that was installed; it outlives the call
}
