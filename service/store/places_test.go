package store_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"tarmac/service/store"
)

func TestWhoCameFirstGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := store.NewPlaces(2)
		var running []func()
		for range 2 {
			leave, err := p.Enter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			running = append(running, leave)
		}
		const waiting = 20
		entered := make(chan int, waiting)
		for i := range waiting {
			go func() {
				leave, err := p.Enter(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				entered <- i
				synctest.Wait() // all that may go are here before this one leaves
				leave()
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

func TestWaitingForAPlaceEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := store.NewPlaces(1)
		leave, err := p.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		gaveUp := make(chan error)
		go func() {
			_, err := p.Enter(ctx)
			gaveUp <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-gaveUp; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		leave()
		// Its place was not taken, and one that has ended takes none.
		if _, err := p.Enter(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		leave, err = p.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		leave()
	})
}
