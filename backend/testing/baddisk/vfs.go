//go:build unix

package baddisk

import (
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// room is what lies between SQLite and the system: a VFS that hands everything on, once it has asked the disk.
var room struct {
	once  sync.Once
	below *sqlite3.Tsqlite3_vfs // the system's own

	mu      sync.RWMutex
	disks   []*Disk
	files   map[uintptr]file // by sqlite3_file
	methods map[uintptr]uintptr
}

// file is one open file of a disk.
type file struct {
	disk  *Disk
	below *sqlite3.Tsqlite3_io_methods
}

func mount(d *Disk) {
	room.once.Do(install)
	room.mu.Lock()
	defer room.mu.Unlock()
	room.disks = append(room.disks, d)
}

func unmount(d *Disk) {
	room.mu.Lock()
	defer room.mu.Unlock()
	for i, other := range room.disks {
		if other == d {
			room.disks = append(room.disks[:i:i], room.disks[i+1:]...)
			return
		}
	}
}

// install makes the VFS the default of this process.
func install() {
	tls := libc.NewTLS()
	defer tls.Close()
	room.files, room.methods = map[uintptr]file{}, map[uintptr]uintptr{}
	system := sqlite3.Xsqlite3_vfs_find(tls, 0)
	room.below = at[sqlite3.Tsqlite3_vfs](system)
	own := duplicate(tls, room.below)
	name, err := libc.CString("baddisk")
	if err != nil {
		panic(err)
	}
	vfs := at[sqlite3.Tsqlite3_vfs](own)
	vfs.FzName = name
	vfs.FxOpen = function(open)
	if code := sqlite3.Xsqlite3_vfs_register(tls, own, 1); code != sqlite3.SQLITE_OK {
		panic(code)
	}
}

func open(tls *libc.TLS, vfs, name, handle uintptr, flags int32, out uintptr) int32 {
	type opener = func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32
	code := method[opener](room.below.FxOpen)(tls, vfs, name, handle, flags, out)
	own := at[sqlite3.Tsqlite3_file](handle)
	if code != sqlite3.SQLITE_OK || own.FpMethods == 0 || name == 0 {
		return code
	}
	path := libc.GoString(name)
	room.mu.Lock()
	defer room.mu.Unlock()
	for _, d := range room.disks {
		if d.holds(path) {
			room.files[handle] = file{d, at[sqlite3.Tsqlite3_io_methods](own.FpMethods)}
			own.FpMethods = watched(tls, own.FpMethods)
			break
		}
	}
	return code
}

// watched gives methods that ask the disk before they call those below. Called with room.mu held.
func watched(tls *libc.TLS, below uintptr) uintptr {
	if own := room.methods[below]; own != 0 {
		return own
	}
	own := duplicate(tls, at[sqlite3.Tsqlite3_io_methods](below))
	m := at[sqlite3.Tsqlite3_io_methods](own)
	m.FxClose, m.FxRead, m.FxWrite, m.FxTruncate, m.FxSync = function(closeFile), function(read), function(write), function(truncate), function(syncFile)
	room.methods[below] = own
	return own
}

func lookUp(handle uintptr) file {
	room.mu.RLock()
	defer room.mu.RUnlock()
	return room.files[handle]
}

func closeFile(tls *libc.TLS, handle uintptr) int32 {
	f := lookUp(handle)
	room.mu.Lock()
	delete(room.files, handle)
	room.mu.Unlock()
	return method[func(*libc.TLS, uintptr) int32](f.below.FxClose)(tls, handle)
}

func read(tls *libc.TLS, handle, data uintptr, size int32, offset int64) int32 {
	f := lookUp(handle)
	f.disk.reads.Add(1)
	return method[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](f.below.FxRead)(tls, handle, data, size, offset)
}

func write(tls *libc.TLS, handle, data uintptr, size int32, offset int64) int32 {
	f := lookUp(handle)
	down := method[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](f.below.FxWrite)
	var length int64
	if code := method[func(*libc.TLS, uintptr, *int64) int32](f.below.FxFileSize)(tls, handle, &length); code != sqlite3.SQLITE_OK {
		return code
	}
	if fault, failed := f.disk.refuse(offset+int64(size) > length); failed {
		_ = down(tls, handle, data, size/2, offset)
		return fault.code()
	}
	return down(tls, handle, data, size, offset)
}

func truncate(tls *libc.TLS, handle uintptr, size int64) int32 {
	f := lookUp(handle)
	if _, failed := f.disk.refuse(false); failed {
		return sqlite3.SQLITE_IOERR_TRUNCATE
	}
	return method[func(*libc.TLS, uintptr, int64) int32](f.below.FxTruncate)(tls, handle, size)
}

func syncFile(tls *libc.TLS, handle uintptr, flags int32) int32 {
	f := lookUp(handle)
	if _, failed := f.disk.refuse(false); failed {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	return method[func(*libc.TLS, uintptr, int32) int32](f.below.FxSync)(tls, handle, flags)
}

// at is what lies at an address outside of Go's memory.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// duplicate copies what is there into memory that Go never moves.
func duplicate[T any](tls *libc.TLS, what *T) uintptr {
	address := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*what)))
	*at[T](address) = *what
	return address
}

// function is the address by which SQLite calls a function, which must live as long as the program.
func function[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// method makes a function of such an address.
func method[F any](address uintptr) F {
	held := &struct{ uintptr }{address}
	return *(*F)(unsafe.Pointer(held))
}
