package bookkeeping

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// drawFacts draws what the text of a line says.
func drawFacts(t *rapid.T) lineFacts {
	text := rapid.SampledFrom([]string{"", "Customer", "Kunde\nÜ", "AT&T"})
	f := lineFacts{category: text.Draw(t, "category"), name: text.Draw(t, "name"), text: text.Draw(t, "text")}
	f.counterparty, f.Explained = text.Draw(t, "counterparty"), f.category != ""
	f.Evidence.Strength = bookrules.Strength(rapid.IntRange(0, 5).Draw(t, "strength"))
	f.Evidence.Origin = bookrules.EvidenceOrigin(rapid.IntRange(0, 4).Draw(t, "origin"))
	f.Evidence.Others = rapid.SampledFrom([][]int64{nil, {}, {1}, {7, 1 << 40}}).Draw(t, "others")
	if rapid.Bool().Draw(t, "has original") {
		f.Original = &bank.Original{
			Currency: text.Draw(t, "currency"), Minor: rapid.Int64().Draw(t, "original"), Rate: text.Draw(t, "rate"),
		}
	}
	return f
}

func TestPacksHoldWhatWasPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		facts, entries := newFactTable(), []bookrules.Entry{}
		for range rapid.IntRange(0, 20).Draw(t, "lines") {
			e := bookrules.Entry{
				Line: rapid.Int64().Draw(t, "line"), Minor: rapid.Int64().Draw(t, "minor"), ID: rapid.Uint64().Draw(t, "id"),
				Day: bookrules.Day(rapid.Int32().Draw(t, "day")), Value: bookrules.Day(rapid.Int32().Draw(t, "value")),
			}
			if rapid.Bool().Draw(t, "has facts") {
				e.Note = facts.add(drawFacts(t))
			}
			entries = append(entries, e)
		}

		gotFacts := newFactTable()
		gotEntries, err := unpack(pack(entries, facts), []bookrules.Entry{}, gotFacts)

		if err != nil || gotFacts.len() > facts.len() {
			t.Fatalf("%d facts of %d, %v", gotFacts.len(), facts.len(), err)
		}
		got, want := withFacts(gotEntries, gotFacts), withFacts(entries, facts)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// entryFacts is an entry with its facts.
type entryFacts struct {
	bookrules.Entry
	facts lineFacts
}

// withFacts returns entries with their facts. Lines may share facts, so notes may differ.
func withFacts(entries []bookrules.Entry, facts *factTable) (all []entryFacts) {
	for _, e := range entries {
		one := entryFacts{e, *facts.at(e.Note)}
		one.Note = 0
		all = append(all, one)
	}
	return all
}

// Facts that follow from lines by other rules than those of the stored packs would be mixed with
// these.
func TestFactsChangeOnlyWithTheVersionOfPacking(t *testing.T) {
	checking := bookrules.Account{Key: 1, Number: "00123456789", Currency: "USD", Bank: "Chase", Role: bookrules.Operating}
	card := bookrules.Account{
		Key:      2,
		Number:   "4111222233334444",
		Currency: "USD",
		Bank:     "American Express",
		Role:     bookrules.Card,
	}
	l := &ledgerBooks{
		finder: bookrules.NewEvidenceFinder([]bookrules.Account{checking, card}), names: &bookrules.Names{},
		rules: bookrules.Rules{},
	}
	facts, entries := newFactTable(), []bookrules.Entry{}
	for n, text := range []string{
		"ONLINE TRANSFER TO ACCT ENDING 4444", "AMEX EPAYMENT ACH PMT", "SQ *CAFE 0042", "WIRE FROM CUSTOMER INC", "",
		"880412360",
	} {
		for _, minor := range []int64{-100, 100} {
			line := bank.Line{Minor: minor, Description: text, Transfer: n == 4}
			e := bookrules.Entry{Line: int64(len(entries) + 1), Day: bookrules.Day(46000 + n), Minor: minor}
			e.Note = facts.add(l.newFacts(checking, line))
			entries = append(entries, e)
		}
	}

	const want = "8 610a958fc7ff92060be44f45d948065b3f5c872dc6781ed661b246ed6b0ff9b9"
	if got := fmt.Sprintf("%d %x", packing, sha256.Sum256(pack(entries, facts))); got != want {
		t.Errorf("packs are %s, want %s; if their rules have changed, increase the constant packing", got, want)
	}
}

// A pack that is damaged is an error, whatever the damage is, and not a panic.
func FuzzUnpack(f *testing.F) {
	customer := lineFacts{name: "Customer"}
	customer.Evidence = bookrules.Evidence{Strength: bookrules.StrongEvidence, Others: []int64{2}}
	facts := newFactTable()
	facts.add(customer)
	f.Add(pack([]bookrules.Entry{{Line: 1, Minor: 5, ID: 9, Day: 46000, Value: 46001, Note: 1}}, facts))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, text []byte) {
		got := newFactTable()
		entries, err := unpack(text, nil, got)
		if len(entries) > len(text) || got.len() > len(text)+1 {
			t.Errorf("%d bytes have %d entries and %d facts, %v", len(text), len(entries), got.len(), err)
		}
	})
}

func TestFactsHaveTheirNotesAtAllSizes(t *testing.T) {
	table := newFactTable()
	for n := int32(1); n < 1000; n++ {
		if note := table.add(lineFacts{category: strconv.Itoa(int(n))}); note != n || table.len() != int(n)+1 {
			t.Fatalf("facts %d have the note %d of %d", n, note, table.len())
		}
	}
	for note, f := range table.all() {
		if want := strconv.Itoa(int(note)); note > 0 && f.category != want || table.at(note) != f {
			t.Fatalf("note %d is of the facts %q", note, f.category)
		}
	}
}
