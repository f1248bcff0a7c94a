package bank

import (
	"context"
	"fmt"
)

// Verify counts the books anew: that every transfer's entries sum to zero, that every balance is the sum of its entries,
// and that the sum over all accounts is what it always was, nothing. The error says what is wrong; it is for developers.
func (b *Bank) Verify(ctx context.Context) error {
	var a Audit
	err := b.deps.Store.LookAtBooks(ctx, func(books Reader) (err error) {
		a, err = books.Audit()
		return err
	})
	if err != nil {
		return err
	}
	if len(a.Unbalanced)+len(a.Stray)+len(a.Off) > 0 || a.Total != 0 {
		return fmt.Errorf("bank: the books are not sound: %+v", a)
	}
	return nil
}
