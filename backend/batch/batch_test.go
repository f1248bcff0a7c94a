package batch_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/batch"
)

// What comes while a batch is written is one batch, in order; Flush returns when all of it is written.
func TestWhatGathersIsWrittenTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var batches [][]int
		begun, goOn := make(chan struct{}), make(chan struct{})
		w := batch.New(batch.Options[int]{Write: func(_ context.Context, list []int) error {
			if batches = append(batches, list); len(batches) == 1 {
				close(begun)
				<-goOn
			}
			return nil
		}})
		w.Put(1)
		<-begun
		for i := 2; i <= 9; i++ {
			w.Put(i)
		}
		close(goOn)
		w.Flush()
		if want := [][]int{{1}, {2, 3, 4, 5, 6, 7, 8, 9}}; !slices.EqualFunc(batches, want, slices.Equal) {
			t.Errorf("%v", batches)
		}
		w.Put(10)
		if err := errors.Join(w.Close(), w.Close()); err != nil || !slices.Equal(batches[len(batches)-1], []int{10}) {
			t.Errorf("%v, %v", batches, err)
		}
	})
}

// A batch waits for company as long as it may, and not beyond the end.
func TestLinger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sizes []int
		w := batch.New(batch.Options[int]{Linger: time.Second, Write: func(_ context.Context, list []int) error {
			sizes = append(sizes, len(list))
			return nil
		}})
		for range 3 {
			w.Put(0)
			<-time.After(400 * time.Millisecond)
		}
		synctest.Wait()
		if !slices.Equal(sizes, []int{3}) {
			t.Errorf("%v", sizes)
		}
		w.Put(0)
		synctest.Wait()
		began := time.Now()
		if err := w.Close(); err != nil || !slices.Equal(sizes, []int{3, 1}) || time.Since(began) != 0 {
			t.Errorf("%v after %v, %v", sizes, time.Since(began), err)
		}
	})
}

// Who cannot be written to loses the oldest; what could not be written is told of and lost.
func TestLosses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []int
		lost := 0
		begun, goOn := make(chan struct{}), make(chan struct{})
		w := batch.New(batch.Options[int]{
			Most: 4, Failed: func(_ error, n int) { lost += n },
			Write: func(_ context.Context, list []int) error {
				if list[0] == 0 {
					close(begun)
					<-goOn
					return errors.New("full")
				}
				got = append(got, list...)
				return nil
			},
		})
		w.Put(0)
		<-begun
		for i := 1; i <= 5; i++ {
			w.Put(i)
		}
		close(goOn)
		if err := w.Close(); err != nil || lost != 1 || !slices.Equal(got, []int{3, 4, 5}) {
			t.Errorf("got %v, lost %d, %v", got, lost, err)
		}
	})
}
