package door

import (
	"context"
	"net"
	"path/filepath"

	"golang.org/x/sys/unix"

	"agentchat/backend/outbound"
)

func dial(ctx context.Context, dir, name string) (net.Conn, error) {
	return outbound.Local(ctx, filepath.Join(dir, name))
}

func listen(dir, name string) (net.Listener, error) {
	path := filepath.Join(dir, name)
	return listenAt(path, path)
}

// peer is who calls, as the system says.
func peer(fd int) (uid uint32, err error) {
	who, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return who.Uid, nil
}
