package ownbooks_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/internal/testsupport/hostile"
)

// fill sets every text in a value to the given one, every number to 1, and every list to one
// element.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Struct:
		for n := range v.NumField() {
			if v.Type().Field(n).IsExported() {
				fill(v.Field(n), text)
			}
		}
	case reflect.String:
		v.SetString(text)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	}
}

// said returns all that values say of themselves, as lines.
func said(
	a ownbooks.Account, i ownbooks.Import, u ownbooks.Undone, r ownbooks.Report, q ownbooks.OpenQuestion,
	d ownbooks.Answered, o ownbooks.Outcome,
) (lines []string) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	amount := func(int64, string) string { return "1.00" }
	minute := func(time.Time) string { return "12:00" }
	c := &o.Connection
	facts := append(a.Facts(civil.Of(now), amount), i.Facts(minute)...)
	for _, f := range append(facts, c.Facts(now, minute, amount)...) {
		lines = append(lines, f.Label)
		lines = append(lines, strings.Split(f.Text, "\n")...)
	}
	lines = append(lines, a.Label(), a.Title(), a.Proof(), a.CoveredText(), a.BalanceText(), i.FilesText(), u.Means(),
		u.Done(), r.Summary(), r.Done("ask"), r.Files[0].Question.Prompt(), r.Balances[0].Prompt(), q.Answers("/"),
		q.Choices[0].Line(), o.Text(), c.Named("text"), c.Trouble(), c.Advice(), c.Disconnects(), c.Disconnected(true),
		c.TakenCount(), c.Accounts[0].Label(), c.NewAccount(&c.Accounts[0]))
	lines = append(lines, c.Targets(&c.Accounts[0])...)
	lines = append(lines, r.Problems()...)
	lines = append(lines, d.Sentences()...)
	lines = append(lines, ownbooks.LostText([]ownbooks.Connection{*c})...)
	return append(lines, r.Files[0].Text()...)
}

func TestCleanValuesSayNothingThatATerminalObeys(t *testing.T) {
	for _, text := range hostile.Texts() {
		if len(text.Value) > 5000 {
			continue // two of them in a sentence would be cut
		}
		var a ownbooks.Account
		var i ownbooks.Import
		var u ownbooks.Undone
		var r ownbooks.Report
		var q ownbooks.OpenQuestion
		var d ownbooks.Answered
		var o ownbooks.Outcome
		for _, value := range []any{&a, &i, &u, &r, &q, &d, &o} {
			fill(reflect.ValueOf(value).Elem(), text.Value)
			ownbooks.Clean(value)
			written, err := json.Marshal(value)
			if err != nil || !strings.Contains(string(written), hostile.Word) {
				t.Fatalf("%s: %T is %s, %v", text.Name, value, written, err)
			}
			var read any
			if err := json.Unmarshal(written, &read); err != nil {
				t.Fatal(err)
			}
			for _, s := range texts(read) {
				if s != termtext.Line(s) {
					t.Errorf("%s: %T has %q", text.Name, value, s)
				}
			}
		}
		o.Connection.State = ownbooks.Lost
		for _, line := range said(a, i, u, r, q, d, o) {
			if line != termtext.Line(line) {
				t.Errorf("%s: %q", text.Name, line)
			}
		}
	}
}

// texts returns all texts in a JSON value.
func texts(value any) (all []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, element := range v {
			all = append(all, texts(element)...)
		}
	case map[string]any:
		for _, element := range v {
			all = append(all, texts(element)...)
		}
	}
	return all
}

func TestWhatIsUnknownIsNullInJSON(t *testing.T) {
	for want, value := range map[string]any{
		`{"first":null,"last":"2026-09-30"}`: ownbooks.Period{Last: civil.MustParse("2026-09-30")},
		`[null,"because"]`:                   []ownbooks.Optional{"", "because"},
		`[null,"2026-11-23T11:00:00Z"]`: []ownbooks.Moment{
			{}, {Time: time.Date(2026, 11, 23, 12, 0, 0, 0, time.FixedZone("CET", 3600))},
		},
	} {
		if got, err := json.Marshal(value); err != nil || string(got) != want {
			t.Errorf("%s, want %s, %v", got, want, err)
		}
	}
}
