package billlist_test

import (
	"context"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
	"tarmac/views/parts/billlist"
)

type server struct{ kept bool }

func (s server) Bills(context.Context) (*apiclient.Bills, error) {
	return &apiclient.Bills{Kept: s.kept, Currency: "USD"}, nil
}

func TestAServerThatKeepsNoBillsIsAskedOnce(t *testing.T) {
	for kept, again := range map[bool]bool{false: false, true: true} {
		now := sample.Now
		list := billlist.New(views.Env{
			Context: t.Context(), Timeout: time.Minute, Snapshot: sample.New().Snapshot(t),
			Now: func() time.Time { return now },
		}, server{kept})
		fetch := list.FetchDue()
		if fetch == nil {
			t.Fatal("bills are not fetched at first")
		}
		list.Store(fetch().(billlist.Response))
		if list.FetchDue() != nil {
			t.Errorf("kept %v: bills are fetched at once again", kept)
		}

		now = now.Add(time.Hour)

		if got := list.FetchDue() != nil; got != again {
			t.Errorf("kept %v: asked again is %v an hour later", kept, got)
		}
	}
}
