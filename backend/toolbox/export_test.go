package toolbox

// Release brings a lease back and serves the line. False: the box does not know the lease, or it is back already.
// A reservation can be given up the same way.
func (b *Box) Release(leaseID string) (released bool) {
	b.change(func() []string {
		h, ok := b.out[leaseID]
		if !ok {
			return nil
		}
		released = true
		return b.serve(b.free(h))
	})
	return released
}
