package door_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"agentchat/backend/door"
)

// callAs calls a socket as another user, from a thread of its own that never comes back.
func callAs(t *testing.T, uid int, dir, name string) (closed error) {
	t.Helper()
	folder, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its user
		if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)); e != 0 {
			done <- e
			return
		}
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err == nil {
			err = unix.Connect(fd, &unix.SockaddrUnix{Name: "/proc/self/fd/" + strconv.Itoa(int(folder.Fd())) + "/" + name})
		}
		if err == nil {
			var n int
			if n, err = unix.Read(fd, make([]byte, 1)); n == 0 && err == nil {
				err = net.ErrClosed
			}
		}
		_ = unix.Close(fd)
		done <- err
	}()
	return <-done
}

// Somebody else on the same computer is refused by the folder, by the socket, and, were both open, by who they are.
func TestAForeignerIsRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	const nobody = 65534
	dir := filepath.Join(t.TempDir(), "door")
	if err := door.Own(dir); err != nil {
		t.Fatal(err)
	}
	l, err := door.Listen(dir, "s")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	took := make(chan net.Conn, 4)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			took <- conn
		}
	}()
	if err := callAs(t, nobody, dir, "s"); !errors.Is(err, unix.EACCES) {
		t.Errorf("through a closed folder: %v", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := callAs(t, nobody, dir, "s"); !errors.Is(err, unix.EACCES) {
		t.Errorf("through a closed socket: %v", err)
	}
	if err := os.Chmod(filepath.Join(dir, "s"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := callAs(t, nobody, dir, "s"); !errors.Is(err, net.ErrClosed) {
		t.Errorf("through everything open: %v", err)
	}
	own, err := door.Dial(dir, "s")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = own.Close() }()
	in := <-took // the first that was let in is the person's own
	defer func() { _ = in.Close() }()
	if _, err := own.Write([]byte{7}); err != nil {
		t.Fatal(err)
	}
	if got := make([]byte, 1); true {
		if _, err := in.Read(got); err != nil || got[0] != 7 {
			t.Errorf("%v, %v", got, err)
		}
	}
	if len(took) > 0 {
		t.Error("a foreigner was let in")
	}
}
