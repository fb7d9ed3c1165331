package store_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"tarmac/service/receivables"
	"tarmac/service/store"
)

func TestReplacedReceivablesAreThoseOfTheNewList(t *testing.T) {
	s := open(t)
	a, b := organization(t, s, "a"), organization(t, s, "b")
	list := func(names string) (items []receivables.ImportedItem) {
		for _, name := range strings.Fields(names) {
			items = append(items, receivables.ImportedItem{
				Number: name, CustomerKey: "c", CustomerName: "C", Currency: "USD", OpenMinor: 5, USDCents: 5, USDKnown: true,
			})
		}
		return items
	}
	other := list("1 2 3")
	write(t, s, func(tx *store.Tx) error { return tx.InsertReceivables(b, other...) })
	for _, names := range []string{"1 2 3 4", "1 2 3 4", "1 2 4", "1 2 4 5 6", "0 1 2", "", "2", "3 2"} {
		items := list(names)
		write(t, s, func(tx *store.Tx) error { return tx.ReplaceReceivables(a, slices.Values(items)) })
		for org, want := range map[store.OrgKey][]receivables.ImportedItem{a: items, b: other} {
			var got []receivables.ImportedItem
			read(t, s, func(snap *store.Snapshot) (err error) {
				got, err = snap.ImportedItems(org, 10)
				return err
			})
			if !slices.Equal(got, want) {
				t.Errorf("after %q: %+v, want %+v", names, got, want)
			}
		}
	}
}

func TestReplacedQuestionsAreThoseOfTheNewList(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	list := func(questions string) (all []store.BookQuestion) {
		for _, q := range strings.Fields(questions) {
			key, text, _ := strings.Cut(q, "=")
			flows := []store.QuestionFlow{{Day: 1, Cents: 2}}
			all = append(all, store.BookQuestion{Key: key, Kind: "k", Day: 1, Text: text, Flows: flows})
		}
		return all
	}
	for _, questions := range []string{"a=1 b=1 c=1", "a=1 b=1 c=1", "a=1 b=2 c=1", "a=1 c=1 d=1", "", "d=1"} {
		want := list(questions)
		write(t, s, func(tx *store.Tx) error { return tx.ReplaceBookQuestions(org, want) })
		var got []store.BookQuestion
		read(t, s, func(snap *store.Snapshot) (err error) {
			got, err = snap.BookQuestions(org)
			return err
		})
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("after %q: %+v, want %+v", questions, got, want)
		}
	}
}
