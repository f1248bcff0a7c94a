package door

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"path/filepath"
	"strings"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// pipe is what stands for a name in a folder: pipes have one space of names for the whole computer.
func pipe(dir, name string) (string, error) {
	whole, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(strings.ToLower(whole)))
	return `\\.\pipe\agentchat-` + hex.EncodeToString(sum[:16]), nil
}

func dial(ctx context.Context, dir, name string) (net.Conn, error) {
	path, err := pipe(dir, name)
	if err != nil {
		return nil, err
	}
	return winio.DialPipeContext(ctx, path)
}

// listen makes a pipe that the person, and nobody else, may open.
func listen(dir, name string) (net.Listener, error) {
	path, err := pipe(dir, name)
	if err != nil {
		return nil, err
	}
	me, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	return winio.ListenPipe(path, &winio.PipeConfig{SecurityDescriptor: "D:P(A;;GA;;;" + me.User.Sid.String() + ")"})
}

// samePerson is what the pipe's rights say of whoever calls.
func samePerson(net.Conn) bool { return true }
