package door

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"agentchat/backend/outbound"
)

// at runs do with a name of the socket that is short enough for the system, however deep the folder lies: by the open folder itself.
func at[T any](dir, name string, do func(short string) (T, error)) (T, error) {
	folder, err := os.Open(dir)
	if err != nil {
		var none T
		return none, err
	}
	defer folder.Close()
	return do(filepath.Join("/proc/self/fd", strconv.Itoa(int(folder.Fd())), name))
}

func dial(ctx context.Context, dir, name string) (net.Conn, error) {
	return at(dir, name, func(short string) (net.Conn, error) { return outbound.Local(ctx, short) })
}

func listen(dir, name string) (net.Listener, error) {
	return at(dir, name, func(short string) (net.Listener, error) { return listenAt(short, filepath.Join(dir, name)) })
}

// peer is who calls, as the system says.
func peer(fd int) (uid uint32, err error) {
	who, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return who.Uid, nil
}
