package record

import (
	"tarmac/client/collections"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// Customer describes how a customer pays and what is open.
func Customer(c *collections.Customer) Object {
	count := func(n int) *int64 {
		wide := int64(n)
		return &wide
	}
	usual := Count("usual_days_late", "Usual", count(c.Usual))
	usual.text = c.UsualText()
	if !c.HasHabit {
		usual = Null("usual_days_late")
		usual.Label = "Usual"
	}
	overdue := c.OverdueCount()
	expected := expectedDate(c.NextExpected(), c.ExpectedText())
	doubtful := 0
	open := make([]Object, len(c.Open))
	for i := range c.Open {
		open[i] = OpenInvoice(&c.Open[i])
		if c.Open[i].IsDoubtful {
			doubtful++
		}
	}
	return Object{
		Text("recipient_name", "Customer", c.Name).inTable().truncated(),
		Text("recipient_email", "E-mail", c.Email).inTable().truncated().dropOrder(2).
			phrasedIf(c.Name == "" && c.Email != "", "%s"),
		total("overdue_cents", "Overdue", c.Owed).inTable().phrasedIf(overdue > 0, c.OwedText()+" overdue"),
		total("listed_overdue_cents", "Listed", c.Overdue).inTable().dropOrder(3).phrased(NoPhrase),
		Flag("amount_confirmed", "Confirmed", c.IsConfirmed),
		Count("overdue_count", "Invoices", count(overdue)).inTable().dropOrder(1).
			phrasedIf(overdue > 0, plural.Count(overdue, "invoice")),
		Count("days_late", "Days late", count(c.DaysLate())).inTable().phrasedIf(overdue > 0, "the oldest "+
			plural.Count(c.DaysLate(), "day")+" past due"),
		usual.inTable().phrasedIf(!c.IsImported, habit(c)),
		Count("paid_count", "Paid", count(c.Paid)).inTable().dropOrder(1).phrasedIf(!c.IsImported, "%s paid"),
		expected.inTable().dropOrder(4).
			phrasedIf(!c.IsImported && (!expected.null || c.ExpectedText() == collections.Doubtful),
				"next payment %s"),
		Count("open_count", "Open", count(len(c.Open))),
		Count("doubtful_count", "Not expected", count(doubtful)).inTable().dropOrder(1).phrased(NoPhrase),
		Count("priority_cent_days", "Priority", &c.Priority),
		Flag("imported", "Imported", c.IsImported || c.IsListed),
		List("open_invoices", open),
		nullIfEmpty("reminder", "", c.Reminder()),
	}
}

// habit says how late a customer usually pays.
func habit(c *collections.Customer) string {
	if c.HasHabit {
		return "usually " + c.UsualText()
	}
	return "no habit yet"
}

// OpenInvoice describes when an open invoice is expected to be paid.
func OpenInvoice(o *collections.Open) Object {
	late, beyond := int64(o.DaysLate), int64(o.BeyondUsual)
	invoice := Invoice(o.Invoice)
	return append(
		invoice.Pick("id", "number", "status", "currency", "total_cents", "due_date"),
		Count("days_late", "Days late", &late), Count("days_beyond_usual", "Beyond usual", &beyond),
		expectedDate(o.Expected, o.ExpectedText()),
		Flag("doubtful", "Not expected", o.IsDoubtful),
	)
}

// expectedDate returns the field of an expected day. Without a day, the details show text.
func expectedDate(day civil.Date, text string) Field {
	f := date("expected_date", "Expected", day.String())
	f.null = day.IsZero()
	return f.withDetail(text)
}
