//go:build unix

package engine

import "os/exec"

const programName = "ollama"

// guard runs a program as long as its own standard input is open, and ends with everything that it started when either is over. The system
// closes that input when the shop ends, also when it was killed: nothing of the engine stays. The program is asked first, so that it can end
// what it started itself.
const guard = `exec 3<&0
"$@" </dev/null 3<&- &
engine=$!
{ cat <&3 >/dev/null; kill -TERM $engine; sleep 5; kill -KILL 0; } >/dev/null 2>&1 &
exec 3<&-
wait $engine
kill -KILL 0`

func command(program string, args ...string) *exec.Cmd {
	return exec.Command("/bin/sh", append([]string{"-c", guard, "agentchat-engine", program}, args...)...) //nolint:gosec,noctx // the engine that was installed; it outlives the call
}
