package transactions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/views"
)

// million returns a ledger of five years with a million rows: busy weekdays, quiet Sundays, growing
// months.
func million() *ledger {
	l := newLedger(1826, func(i int) int { return 245 + (1826-i)/5 + 40*(i%7) })
	l.add(l.newest, 1_000_000-l.total())
	return l
}

func TestAPlaceAmongAMillionRowsIsAFewRequestsAway(t *testing.T) {
	for text, want := range map[string]struct{ row, most int }{
		"50%": {499_999, 9}, "12.5%": {124_999, 9}, "100%": {999_999, 10}, "0%": {0, 1},
		"row 612,004": {612_003, 9}, "#999999": {999_998, 10}, "5,000,000": {999_999, 10}, "row 201": {200, 2},
		"row 1200": {1199, 6},
	} {
		r := read(t, million())
		asked := r.to(t, text)
		if r.list.Table.Cursor() != want.row || asked > want.most {
			t.Errorf("%s leads to row %d with %d requests, want %d with %d at most",
				text, r.list.Table.Cursor(), asked, want.row, want.most)
		}
		position := fmt.Sprintf("row %s of 1,000,000", money.Count(int64(want.row)+1))
		if !strings.Contains(r.text(), position) {
			t.Errorf("%s: the screen does not say %q:\n%s", text, position, r.text())
		}
		r.right(t)
	}
}

func TestAShareIsTypedWithOrWithoutItsSign(t *testing.T) {
	for _, text := range []string{"50", "50%"} {
		r := read(t, million())
		r.press(t, "%")
		for _, c := range text {
			r.press(t, string(c))
		}
		r.press(t, "enter")
		if r.list.Table.Cursor() != 499_999 {
			t.Errorf("%s leads to row %d", text, r.list.Table.Cursor())
		}
	}
}

func TestPlacesAreThoseOfTheFilter(t *testing.T) {
	r := read(t, million())
	r.drain(t, r.Show(views.TransactionsTarget{From: civil.MustParse("2024-01-01"), To: civil.MustParse("2024-06-30")}))
	above, count := r.ledger.newer(civil.MustParse("2024-06-30")), r.store.total
	for text, row := range map[string]int{"100%": count - 1, "50%": (count - 1) / 2, "2020": count - 1, "2030": 0,
		"2024-01-01": -1} {
		asked := r.to(t, text)
		if row < 0 {
			row = r.ledger.newer(civil.MustParse("2024-01-01")) - above
		}
		at, ok := r.store.row(r.list.Table.Cursor())
		if asked > maxRequests || r.list.Table.Cursor() != row || !ok || at.ID != r.ledger.id(above+row) ||
			r.store.total != count {
			t.Errorf("%s leads to row %d of %d with %d requests, want %d of %d: %+v",
				text, r.list.Table.Cursor(), r.store.total, asked, row, count, at)
		}
	}
	r.to(t, "row 3000")
	for range 150 {
		r.press(t, "pgup")
	}
	if at, ok := r.store.row(0); r.list.Table.Cursor() != 0 || !ok || at.ID != r.ledger.id(above) {
		t.Errorf("upwards ends at row %d", r.list.Table.Cursor())
	}
}

func TestADateIsTwoRequestsAway(t *testing.T) {
	r := read(t, million())
	for _, text := range []string{"2024-02-29", "2023", "last quarter", "2022-06"} {
		asked := r.to(t, text)
		p, _ := position.Parse(text, civil.Of(r.Env.Now()))
		row, _ := r.store.row(r.list.Table.Cursor())
		if asked > 2 || row == nil || row.Date != p.Day || r.list.Table.Cursor() != r.ledger.newer(p.Day) {
			t.Errorf("%s leads to row %d with %d requests: %+v", text, r.list.Table.Cursor(), asked, row)
		}
		r.right(t)
	}
	r.to(t, "2030")
	if r.list.Table.Cursor() != 0 {
		t.Errorf("a day to come leads to row %d", r.list.Table.Cursor())
	}
	r.to(t, "1999")
	if r.list.Table.Cursor() != 999_999 ||
		!strings.Contains(r.text(), "no transactions on or before 1999-12-31: this is the oldest row") {
		t.Errorf("a day before all leads to row %d:\n%s", r.list.Table.Cursor(), r.text())
	}
}

func TestTheEndIsTheOldestRowAndTheTopTheNewest(t *testing.T) {
	r := read(t, million())
	if asked := r.onTheWay(t, "G"); asked > 10 {
		t.Errorf("%d requests to the oldest row", asked)
	}
	r.right(t)
	if r.list.Table.Cursor() != 999_999 {
		t.Errorf("G leads to row %d", r.list.Table.Cursor())
	}
	before := len(r.ledger.queries)
	r.press(t, "G")
	if len(r.ledger.queries) != before {
		t.Error("at the end, G asked again")
	}
	if asked := r.onTheWay(t, "g"); asked != 1 || r.list.Table.Cursor() != 0 {
		t.Errorf("g leads to row %d with %d requests", r.list.Table.Cursor(), asked)
	}
	r.right(t)
}

func TestFromAPlaceRowsAreReadBothWays(t *testing.T) {
	r := read(t, million())
	r.to(t, "row 612,004")
	for n, key := range []string{"pgup", "pgdown"} {
		for range 100 {
			r.press(t, key)
			r.right(t)
		}
		if want := 612_003 + (n-1)*100*(r.list.Table.Height()-1); r.list.Table.Cursor() != want {
			t.Fatalf("after %s it is at row %d, want %d", key, r.list.Table.Cursor(), want)
		}
	}
}

func TestUpwardsLeadsBackToTheHead(t *testing.T) {
	r := read(t, newLedger(400, func(i int) int { return i % 5 * 40 }))
	r.to(t, "row 2000")
	for range 100 {
		r.press(t, "pgup")
		r.right(t)
	}
	if r.list.Table.Cursor() != 0 || r.store.belowHead() {
		t.Fatalf("it stopped at row %d", r.list.Table.Cursor())
	}
	r.ledger.add(r.ledger.newest, 3)
	r.drain(t, r.Refresh())
	r.right(t)
	if r.list.Table.Cursor() != 0 {
		t.Error("who stands on the first row does not stay on it")
	}
}

// A search by date cannot divide a single day. On a day with very many rows, the seek ends early
// and says so; the same key continues it.
func TestADayOfTooManyRowsIsReadInTurns(t *testing.T) {
	r := read(t, newLedger(1, func(int) int { return 6000 }))
	asked := r.onTheWay(t, "G")
	if asked != maxRequests || !strings.Contains(r.text(), "reached after 12 requests") {
		t.Fatalf("%d requests:\n%s", asked, r.text())
	}
	r.right(t)
	for n := 0; r.list.Table.Cursor() != 5999; n++ {
		if n > 4 {
			t.Fatalf("it does not get beyond row %d", r.list.Table.Cursor())
		}
		r.press(t, "G")
		r.right(t)
	}
}

func TestTheKeyboardIsFreeOnTheWayAndEscStays(t *testing.T) {
	r := read(t, million())
	cmd := r.Update(press("G"))
	r.Update(press("down"))
	if r.list.Table.Cursor() != 1 || !strings.Contains(r.text(), "jumping to the oldest · esc") {
		t.Fatalf("row %d:\n%s", r.list.Table.Cursor(), r.text())
	}
	next := r.Update(cmd())
	if !r.Back() || r.Back() {
		t.Error("esc does not give up the way, once")
	}
	r.drain(t, r.Update(next()))
	if r.list.Table.Cursor() != 1 || strings.Contains(r.text(), "going") {
		t.Errorf("an answer on the way that was given up led to row %d", r.list.Table.Cursor())
	}
	r.right(t)
}

func TestOnlyTheLastPlaceCounts(t *testing.T) {
	r := read(t, million())
	late := r.Update(press("G"))
	r.press(t, "t")
	for _, c := range "50%" {
		r.Update(press(string(c)))
	}
	now := r.Update(press("enter"))
	if now == nil {
		t.Fatal("a place waits for the answer to another")
	}
	r.Update(late())
	r.drain(t, now)
	r.drain(t, r.Update(late()))
	if r.list.Table.Cursor() != 499_999 {
		t.Errorf("it is at row %d", r.list.Table.Cursor())
	}
}

func TestAFailureOnTheWayIsTriedAgainAndARefusalIsNot(t *testing.T) {
	r := read(t, million())
	cmd := r.Update(press("G"))
	cmd = r.Update(cmd())
	r.ledger.fail = &apiclient.Error{Status: 503}
	r.drain(t, cmd)
	asked := len(r.ledger.queries)
	r.press(t, "down")
	if len(r.ledger.queries) != asked {
		t.Error("a failure was tried again at once")
	}
	r.ledger.fail = nil
	r.clock.at = r.clock.at.Add(time.Minute)
	r.drain(t, r.Update(views.Tick{}))
	if r.list.Table.Cursor() != 999_999 {
		t.Errorf("it did not go on: row %d", r.list.Table.Cursor())
	}
	r.ledger.fail = &apiclient.Error{Status: 400, Message: "no such date"}
	cmd = r.Update(press("g"))
	r.Update(cmd())
	if r.seek != nil || !strings.Contains(r.text(), "cannot jump to the newest: the request was refused") {
		t.Errorf("a refusal is asked again:\n%s", r.text())
	}
}

func TestInsideTheListingTheNumbersStayRightWhenRowsComeIn(t *testing.T) {
	r := read(t, million())
	r.to(t, "50%")
	r.press(t, "down", "down")
	row, _ := r.store.row(r.list.Table.Cursor())
	first, _ := r.list.Table.Visible()
	date, want, line := row.Date, r.list.Table.Cursor(), r.list.Table.Cursor()-first
	for _, in := range []struct {
		day   civil.Date
		above int
	}{{r.ledger.newest, 7}, {date.AddDays(40), 7}, {date.AddDays(-40), 0}} {
		r.ledger.add(in.day, 7)
		r.clock.at = r.clock.at.Add(time.Minute)
		r.drain(t, r.Refresh())
		r.press(t, "up", "down")
		want += in.above
		first, _ := r.list.Table.Visible()
		if r.list.Table.Cursor() != want || r.list.Table.Cursor()-first != line || r.store.total != r.ledger.total() {
			t.Errorf("rows of %s: row %d of %d on line %d, want %d of %d on %d",
				in.day, r.list.Table.Cursor(), r.store.total, r.list.Table.Cursor()-first, want, r.ledger.total(), line)
		}
	}
}

// uneven draws a ledger whose rows are spread evenly, grow, cluster on some days, or leave out
// years.
func uneven(t *rapid.T) *ledger {
	shape := rapid.IntRange(0, 4).Draw(t, "shape")
	scale := rapid.IntRange(1, 700).Draw(t, "scale")
	clump := rapid.IntRange(1, 400).Draw(t, "clump")
	days := rapid.IntRange(1, 4000).Draw(t, "days")
	l := newLedger(days, func(i int) int {
		switch shape {
		case 0:
			return scale
		case 1:
			return scale * (days - i) / days
		case 2:
			if i%clump == 0 {
				return scale
			}
			return 0
		case 3:
			if i < clump || i > days-clump {
				return scale
			}
			return 0
		}
		return i * 7919 % scale
	})
	if l.total() == 0 {
		l.ends[days-1] = 1
	}
	return l
}

// For any ledger, a seek takes at most twelve requests, and every visible row has its correct
// number.
func TestThePositionIsTheTrueOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := read(propertyT{}, uneven(t))
		for range rapid.IntRange(1, 4).Draw(t, "places") {
			row := rapid.IntRange(0, r.ledger.total()-1).Draw(t, "row")
			if asked := r.to(t, fmt.Sprintf("row %d", row+1)); asked > maxRequests {
				t.Fatalf("%d requests", asked)
			}
			r.right(t)
			if r.input.problem == "" && r.list.Table.Cursor() != row {
				t.Fatalf("it is at row %d, not %d", r.list.Table.Cursor(), row)
			}
			for range rapid.IntRange(0, 20).Draw(t, "moves") {
				r.press(t, rapid.SampledFrom([]string{"pgup", "pgdown", "down", "up", "ctrl+d"}).Draw(t, "key"))
				r.right(t)
				if r.store.belowHead() && rapid.IntRange(0, 9).Draw(t, "news") == 0 {
					day := r.ledger.date(rapid.IntRange(0, r.ledger.total()-1).Draw(t, "day"))
					r.ledger.add(day, rapid.IntRange(1, 300).Draw(t, "rows"))
					r.clock.at = r.clock.at.Add(time.Minute)
					r.drain(t, r.Refresh())
					r.right(t)
				}
			}
		}
	})
}

// propertyT makes a *rapid.T usable as the testing.TB that read expects.
type propertyT struct{ testing.TB }

func (propertyT) Helper() {}

func (propertyT) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// A row that cannot be read, not even its date, keeps its place: all other rows keep their
// correct numbers.
func TestRowsThatCannotBeReadKeepTheirPlace(t *testing.T) {
	l := million()
	l.bad = func(row int) bool { return row%3 == 0 }
	r := read(t, l)
	r.right(t)

	for _, to := range []string{"50%", "row 612004", "2020-03-31", "100%", "row 3"} {
		r.to(t, to)
		r.right(t)
	}
	r.press(t, "G")
	r.right(t)
	r.press(t, "g")
	r.right(t)
	if text := r.text(); !strings.Contains(text, "unreadable") || !strings.Contains(text, "row 1 of 1,000,000") {
		t.Errorf("the newest rows are\n%s", text)
	}
}
