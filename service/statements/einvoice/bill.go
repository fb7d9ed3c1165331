package einvoice

import (
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// pass passes the invoice to the sink. Each invoice is a source of its own, and payments from its
// day of issue on may pay it.
func (d *document) pass(sink bank.Sink) error {
	for _, field := range [...]struct{ text, name string }{
		{d.number, "number"}, {d.seller, "name of the seller"}, {d.currency, "currency"}, {d.issued, "day of issue"},
		{d.payable, "amount due for payment"},
	} {
		if field.text == "" {
			return bank.Errorf(0, "is an electronic invoice without %s", article(field.name))
		}
	}
	item := bank.OpenItem{Place: 1, Number: d.number, Party: d.seller, Currency: d.currency}
	if !bank.IsCurrency(d.currency) {
		return bank.Errorf(0, "%q is no currency of ISO 4217", bank.Short(d.currency))
	}
	if d.payableIn != "" && d.payableIn != d.currency {
		return bank.Errorf(0, "the amount due for payment is in %q, the invoice in %s", bank.Short(d.payableIn), d.currency)
	}
	var err error
	if item.Issued, err = day(d.issued); err != nil {
		return err
	}
	if item.Due, err = d.dueDate(sink); err != nil {
		return err
	}
	if item.Minor, err = bank.ParseAmount(d.payable, '.', d.currency); err != nil {
		return bank.Errorf(0, "the amount %q %v", bank.Short(d.payable), err)
	}
	if d.credit() && item.Minor > 0 {
		item.Minor = -item.Minor
	}
	list := &bank.OpenItems{
		Side: bank.Payable, Source: bank.Text("e-invoice " + d.number + " of " + d.seller), AsOf: item.Issued.AddDays(-1),
	}
	if item.Minor == 0 {
		sink.Problem(0, fmt.Sprintf("the invoice %q of %q has nothing left to pay; skipped",
			bank.Short(d.number), bank.Short(d.seller)))
		return sink.OpenList(list)
	}
	return sink.OpenItem(list, item)
}

func article(name string) string {
	if strings.HasPrefix(name, "a") {
		return "an " + name
	}
	return "a " + name
}

// credit reports whether the document is a credit note, whatever its amount's sign.
func (d *document) credit() bool { return d.creditNote || d.kind == "381" || d.kind == "396" }

// day parses a date such as 2026-09-30, perhaps with a time zone, or 20260930.
func day(text string) (civil.Date, error) {
	const short, long = len("20260930"), len("2026-09-30")
	digits := strings.Trim(text, "0123456789") == ""
	written := text[:min(len(text), long)]
	if len(text) >= short && digits {
		written = text[:4] + "-" + text[4:6] + "-" + text[6:short]
	}
	parsed, err := civil.Parse(written)
	if err == nil {
		if date, ok := bank.Day(parsed.Year(), int(parsed.Month()), parsed.Day()); ok {
			return date, nil
		}
	}
	return civil.Date{}, bank.Errorf(0, "the date %q does not exist", bank.Short(text))
}
