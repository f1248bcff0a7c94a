package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// fullDisk is the file that means a full disk, for a customer with that folder.
func fullDisk(home string) string { return filepath.Join(home, "full") }

// moment is when the disk becomes full, counted from a line of the customer.
type moment int

const (
	never moment = iota
	said         // as soon as it was taken
	asked        // when what it leads to has been asked, before the answer
)

// fill makes the disk full at that moment, until the shop has come to rest.
func (c *customer) fill(p *process, when moment) error {
	if when == asked {
		if err := p.rest(); err != nil {
			return err
		}
	}
	if err := os.WriteFile(fullDisk(c.home), nil, 0o600); err != nil {
		return err
	}
	err := c.settle(p)
	return errors.Join(err, makeRoom(c))
}

// makeRoom is what a customer does about a full disk before the program is started again, or goes on.
func makeRoom(c *customer) error {
	if err := os.Remove(fullDisk(c.home)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// asTold checks that the jobs' ends are true: as many succeeded as were stamped.
func asTold(p *process, end snapshot) []string {
	text, err := os.ReadFile(filepath.Join(p.home, "witness"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return []string{"lost: " + err.Error()}
	}
	succeeded := 0
	for _, state := range end.states() {
		if state == "succeeded" {
			succeeded++
		}
	}
	if seen := strings.Fields(string(text)); len(seen) != succeeded {
		return []string{fmt.Sprintf("lost: the jobs ended %v, and the witness saw %v", end.states(), seen)}
	}
	return nil
}
