//go:build !windows

package desktop

func darkWindows() bool { return false }
