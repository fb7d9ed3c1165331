package plain

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/download"
	"tarmac/client/figures"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/fold"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// maxInvoices is the maximum number of invoices that the API lists per request, newest first.
const maxInvoices = 200

// listRows is the number of invoices printed at a time.
const listRows = 20

// invoicesPage lists invoices, newest first.
type invoicesPage struct {
	status          apiclient.InvoiceStatus // status of the listed invoices; "" for all
	words           string                  // search words; an invoice must contain all of them
	first           int                     // index of the first invoice to print
	list            cached[[]apiclient.Invoice]
	rows            []apiclient.Invoice // invoices in list that match words
	fromReceivables bool                // the page was opened from the receivables page
	owed            bool                // Receivables counts something for these invoices
}

func (p *invoicesPage) name() string { return "invoices" }

func (p *invoicesPage) commands(*session) []command {
	return []command{
		{"filter", "draft | sent | paid | overdue | voided | all", "filter by status", p.setFilter},
		{"search", "WORDS", "search number, recipient or description", func(s *session, args string) error {
			p.words, p.first = args, 0
			return p.showMatching(s)
		}},
		{"next", "", "next page (older)", func(s *session, _ string) error { return p.turnPage(s, listRows) }},
		{"previous", "", "previous page (newer)", func(s *session, _ string) error { return p.turnPage(s, -listRows) }},
		{"open", "NUMBER", "show an invoice by list number or invoice number, such as INV-000123", p.open},
	}
}

func (p *invoicesPage) show(s *session) error {
	s.say("%s.", s.title())
	return p.fetch(s)
}

// fetch requests the invoices and prints them.
func (p *invoicesPage) fetch(s *session) error {
	filter := apiclient.InvoiceFilter{Status: p.status, Limit: maxInvoices}
	_, ok := p.list.get(s, "Invoices", func(ctx context.Context) ([]apiclient.Invoice, error) {
		return s.server.Client.Invoices(ctx, filter)
	})
	if !ok {
		return nil
	}
	return p.showMatching(s)
}

// openInvoices opens the list of invoices with a status that match the search words. The parameter
// owed is what Receivables counts for them.
func (s *session) openInvoices(status apiclient.InvoiceStatus, words string, owed figures.Total) error {
	p := s.pages["invoices"].(*invoicesPage)
	*p = invoicesPage{status: status, words: words, fromReceivables: true, owed: owed.Minor != 0}
	return s.open(p)
}

func (p *invoicesPage) setFilter(s *session, args string) error {
	status := apiclient.InvoiceStatus(strings.ToLower(args))
	if status == "all" {
		status = ""
	}
	if status != "" && !status.Known() || args == "" {
		return s.answer("filter takes draft, sent, paid, overdue, voided or all.")
	}
	*p = invoicesPage{status: status, words: p.words}
	return p.fetch(s)
}

// showMatching prints the invoices that match the search words, beginning with index first.
func (p *invoicesPage) showMatching(s *session) error {
	words := strings.Fields(fold.String(p.words))
	p.rows = nil
	for _, i := range p.list.value {
		text := fold.String(i.Number + " " + i.RecipientName + " " + i.RecipientEmail + " " + i.Description)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
			p.rows = append(p.rows, i)
		}
	}
	which := cmp.Or(string(p.status), "of any status")
	if p.words != "" {
		which += ", matching " + termtext.Line(p.words) + " (search without text clears the search)"
	}
	switch {
	case len(p.rows) == 0 && p.status == "" && p.words == "":
		return s.answer("No invoices yet.")
	case len(p.rows) == 0 && p.owed && len(p.list.value) < maxInvoices:
		why := figures.ImportedItems
		if n, _ := apiclient.CountUnreadable(p.list.value); n > 0 {
			why = figures.UnreadableItems
		}
		s.say("No invoices %s. %s", which, why)
		sayUnreadableCount(s, "invoice", p.list.value)
		return nil
	case len(p.rows) == 0:
		s.say("No invoices %s. Type filter all for every status.", which)
		sayUnreadableCount(s, "invoice", p.list.value)
		return nil
	}
	s.say("%s %s.", plural.Count(int64(len(p.rows)), "invoice"), which)
	if p.fromReceivables {
		s.say("%s", figures.TotalsMeaning)
	}
	if len(p.list.value) >= maxInvoices {
		s.say("The API lists the newest %d only; there may be older ones.", maxInvoices)
	}
	p.first = min(p.first, len(p.rows)-1)
	rows := p.rows[p.first:min(len(p.rows), p.first+listRows)]
	sayNumbered(s, p.first+1, rows, s.invoiceLine)
	sayUnreadableCount(s, "invoice", p.list.value)
	if p.first+len(rows) < len(p.rows) {
		s.say("Type next for more.")
	}
	return nil
}

// invoiceLine describes an invoice in one line, without a full stop.
func (s *session) invoiceLine(i *apiclient.Invoice) string {
	number := cmp.Or(i.Number, i.ID)
	if i.Unreadable != nil {
		return unreadable(number, i.Unreadable)
	}
	recipient := cmp.Or(i.RecipientName, "no recipient")
	line := number + ", " + string(i.Status) + ", " + recipient + ", " + amountInWords(i.Total)
	if i.DueDate != nil && (i.Status == apiclient.InvoiceSent || i.Status == apiclient.InvoiceOverdue) {
		line += ", due " + s.day(civil.Of(*i.DueDate))
	}
	return line
}

func (p *invoicesPage) turnPage(s *session, by int) error {
	switch to := p.first + by; {
	case to < 0 && p.first == 0:
		return s.answer("These are the newest.")
	case to >= len(p.rows):
		return s.answer("This is the end of the list.")
	default:
		p.first = max(0, to)
		return p.showMatching(s)
	}
}

func (p *invoicesPage) open(s *session, args string) error {
	for _, i := range p.list.value {
		if args != "" && (strings.EqualFold(i.Number, args) || i.ID == args) {
			return s.open(&invoicePage{id: i.ID})
		}
	}
	if i, ok := s.pick(args, len(p.rows)); ok {
		return s.open(&invoicePage{id: p.rows[i].ID})
	}
	return nil
}

// invoicePage shows one invoice.
type invoicePage struct {
	id      string
	invoice cached[*apiclient.Invoice]
}

func (p *invoicePage) name() string { return "invoice" }

func (p *invoicePage) commands(*session) []command {
	return []command{{"pdf", "DIRECTORY", "save as PDF, in a directory or in the documents folder", p.pdf}}
}

func (p *invoicePage) show(s *session) error {
	i, ok := p.invoice.get(s, "Invoice", func(ctx context.Context) (*apiclient.Invoice, error) {
		return s.server.Client.Invoice(ctx, p.id)
	})
	if !ok {
		return nil
	}
	s.say("Invoice %s.", cmp.Or(i.Number, i.ID))
	o := record.Invoice(*i)
	s.details(o.Pick("status", "recipient_name", "recipient_email", "description", "subtotal_cents", "tax_cents",
		"total_cents", "due_date", "id"))
	s.timeline(o.Pick("created_at", "sent_at", "paid_at", "voided_at"))
	return s.answer("Type pdf to save it as a PDF.")
}

func (p *invoicePage) pdf(s *session, args string) error {
	number := p.id
	if p.invoice.known() {
		number = cmp.Or(p.invoice.value.Number, p.id)
	}
	file, err := requestWithRetry(s, func(ctx context.Context) (download.File, error) {
		return download.Invoice(ctx, s.server.Client, p.id, number, s.places().Absolute(args))
	})
	switch {
	case errors.As(err, new(*fs.PathError)):
		s.say("The PDF was not saved: %s", problem.Sentence(download.Reason(err)))
	case err != nil:
		s.say("The PDF was not saved: %s", errorInWords(err))
	case file.Existed:
		s.say("Already saved: %s.", termtext.Line(file.Path))
	default:
		s.say("Saved as %s, %s bytes.", termtext.Line(file.Path), money.Count(int64(file.Bytes)))
	}
	return nil
}
