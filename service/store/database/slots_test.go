package database

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestWhoCameFirstGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := make(slots, 2)
		var running []func()
		for range 2 {
			release, err := s.acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			running = append(running, release)
		}
		const waiting = 20
		entered := make(chan int, waiting)
		for i := range waiting {
			go func() {
				release, err := s.acquire(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				entered <- i
				synctest.Wait() // all callers that can get a slot have one
				release()
			}()
			synctest.Wait()
		}
		running[0]()
		for want := range waiting {
			if got := <-entered; got != want {
				t.Fatalf("%d came in, and it was the turn of %d", got, want)
			}
		}
		running[1]()
	})
}

func TestWaitingForASlotEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := make(slots, 1)
		release, err := s.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		gaveUp := make(chan error)
		go func() {
			_, err := s.acquire(ctx)
			gaveUp <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-gaveUp; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		release()
		// The canceled caller took no slot, and a call with an ended context takes none.
		if _, err := s.acquire(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		release, err = s.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		release()
	})
}
