package transactions

import (
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/filters"
	"tarmac/client/importing"
	"tarmac/views"
)

// sized gives each row the number in its ID as its amount in dollars, and every fifth no rate.
func sized(number int, row *apiclient.Transaction) {
	row.Reporting = apiclient.NewAmount(int64(number)*100, "USD")
	if number%5 == 0 {
		row.Reporting = apiclient.UnknownAmount("USD")
	}
	row.Direction = apiclient.Outflow
}

func TestAnAmountIsSearchedInTheRowsThatWereReadAndTheLineSaysSo(t *testing.T) {
	d := open(t, 500)
	d.server.alter = sized
	d.drain(d.Refresh())
	asked := len(d.server.queries)

	d.press("/")
	d.write("301..310")
	d.press("enter")

	if len(d.server.queries) != asked {
		t.Error("it asks the server, which cannot search amounts")
	}
	d.says("0 of 200 rows read, of 500 · a reads all", "[301..310]")
	d.press("a")
	d.says("8 of 500 rows read", "out $2,440.00", "[301..310]")
	d.press("S")
	d.says("8 of 500 rows read")
	if got := d.current(); got.ID != "tx_0000309" {
		t.Errorf("sorted by amount, the first row is %s", got.ID)
	}
	d.press("x")
	d.says("no filter", "largest amount first")
	d.press("S", "S")
	d.says("of 500")
}

// All rows of own books are near: they are read, so that a sum is never of some of them only.
func TestAnAmountIsSearchedInAllRowsOfOwnBooks(t *testing.T) {
	d := open(t, 500)
	d.Screen.Books = ownBooks{}
	d.server.alter = sized
	d.drain(d.Refresh())

	d.press("/")
	d.write("301..310")
	d.press("enter")

	d.says("8 of 500 rows read", "out $2,440.00", "[301..310]")
}

// ownBooks are own books of which nothing is asked.
type ownBooks struct{ importing.Books }

func TestARowWithoutAnAmountHasNoSize(t *testing.T) {
	d := open(t, 30)
	d.server.alter = sized
	d.drain(d.Refresh())
	d.press("/")
	d.write("<100k acct:linked")
	d.press("enter")
	d.says("24 of 30 rows read")
	d.press("e")
	if d.exports.preparing != nil || d.Typing() {
		t.Error("rows that were found in memory can be exported")
	}
}

func TestAnInvalidAmountIsSaidAndTheTextStays(t *testing.T) {
	d := open(t, 30)
	d.press("/")
	d.write(">1.234")
	d.press("enter")
	if d.says("has 2 decimal places"); !d.Typing() {
		t.Error("the prompt is closed")
	}
}

func TestAFilterOfAmountsIsRestored(t *testing.T) {
	d := open(t, 30)
	d.press("/")
	d.write("servers >1k")
	d.press("enter")

	next := open(t, 30)
	next.drain(next.Update(views.Restore{Filter: d.State().Kept.Filter}))

	next.says(`["servers"]`, "[>1k]")
	if got := next.State().Kept.Filter; got != (filters.Filter{Text: "servers >1k"}) {
		t.Errorf("it is %+v", got)
	}
}

func TestRowsOfOwnBooksAreFoundByTheirAccountWhichTheDetailsName(t *testing.T) {
	d := open(t, 30)
	d.server.alter = func(number int, row *apiclient.Transaction) {
		if row.Account = "Harbour Bank …4821"; number%3 == 0 {
			row.Account = "Pine Bank …9016"
		}
	}
	d.drain(d.Refresh())

	d.press("/")
	d.write("acct:9016")
	d.press("enter", "enter")

	d.says("10 of 30 rows read", "[acct:9016]", "Account       Pine Bank …9016")
}

func TestDetailsOfARowOfAServerNameNoAccount(t *testing.T) {
	d := open(t, 30)

	d.press("enter")

	if text := d.text(); !strings.Contains(text, "Source ") || strings.Contains(text, "Account ") {
		t.Errorf("the details are\n%s", text)
	}
}
