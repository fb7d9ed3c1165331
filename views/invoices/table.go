package invoices

import (
	"strings"

	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/internal/money"
	"tarmac/views/parts/saveas"
)

// listedTable is the invoices of the list as they are shown, with the API's names
// (docs/api.md, Invoice).
func (s *Screen) listedTable() saveas.Table {
	sheet := export.Sheet{Names: []string{
		"id", "number", "status", "currency", "description", "recipient_name", "recipient_email", "subtotal_cents", "tax_cents", "total_cents",
		"created_at", "updated_at", "due_date", "sent_at", "paid_at", "voided_at",
	}, Amounts: []string{"subtotal_cents", "tax_cents", "total_cents"}}
	unreadable := 0
	for _, i := range s.shown {
		if i.Unreadable != nil {
			unreadable++
			continue
		}
		created, updated := i.CreatedAt, i.UpdatedAt
		sheet.Rows = append(sheet.Rows, []any{
			i.ID, i.Number, string(i.Status), i.Total.Currency(), i.Description, i.RecipientName, i.RecipientEmail, i.Subtotal, i.Tax, i.Total,
			&created, &updated, i.DueDate, i.SentAt, i.PaidAt, i.VoidedAt,
		})
	}
	what := money.Count(int64(len(sheet.Rows))) + " invoices"
	if len(sheet.Rows) == 1 {
		what = "1 invoice"
	}
	return saveas.Table{Sheet: sheet, What: what + problem.LeftOut(unreadable)}
}

// fileWords say what is listed.
func (s *Screen) fileWords() []string {
	words := []string{"invoices"}
	for _, word := range []string{string(tabs[s.tab]), s.pastDue.Name, s.customer, s.search} {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}
