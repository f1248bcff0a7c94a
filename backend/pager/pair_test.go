package pager

import (
	"testing"

	"agentchat/backend/pairing"
)

func TestThePictureIsAWholeSquare(t *testing.T) {
	size, path, err := drawn("https://192.168.0.7:8738/#" + pairing.Secret())
	if err != nil || size < 29 || path[:5] != "M4 4h" {
		t.Errorf("%d %.20s %v", size, path, err)
	}
}
