package shop_test

import "testing"

// What customers say of what was just shown or done: that it shall be moved, taken back, or that it was not meant after all.
func TestFollow(t *testing.T) { dialogues(t, "follow") }
