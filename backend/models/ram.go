package models

import "github.com/shirou/gopsutil/v4/mem"

// ReadRAM asks the system for this computer's memory. What cannot be found out is 0.
func ReadRAM() RAM {
	v, err := mem.VirtualMemory()
	if err != nil || v == nil {
		return RAM{}
	}
	return RAM{Total: int64(v.Total), Available: int64(v.Available)} //nolint:gosec // no memory is larger than 2^63
}
