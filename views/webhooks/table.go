package webhooks

import (
	"slices"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/internal/money"
	"tarmac/views/parts/saveas"
)

// table returns what makes a table of the deliveries that are listed, of this endpoint
// whatever is chosen later, with the API's names (docs/api.md, Delivery record). Of
// what a server sends beside those every delivery has a column.
func (s *Screen) table() func() saveas.Table {
	listed := s.filter.deliveries
	var all []*apiclient.WebhookDelivery
	for _, d := range listed {
		if d.Unreadable == nil {
			all = append(all, d)
		}
	}
	return func() saveas.Table {
		sheet := export.Sheet{Names: []string{
			"id", "event_id", "event_type", "status", "attempt_count", "last_response_code", "last_error",
			"next_retry_at", "created_at", "last_attempt_at", "delivered_at",
		}}
		known := len(sheet.Names)
		for i := range all {
			for _, f := range all[i].Extra {
				if !slices.Contains(sheet.Names, f.Name) {
					sheet.Names = append(sheet.Names, f.Name)
				}
			}
		}
		for i := range all {
			d := all[i]
			row := []any{
				d.ID, d.EventID, string(d.EventType), string(d.Status), d.Attempts, d.LastResponseCode, d.LastError,
				d.NextRetryAt, d.CreatedAt, d.LastAttemptAt, d.DeliveredAt,
			}
			for _, name := range sheet.Names[known:] {
				value := ""
				if at := slices.IndexFunc(d.Extra, func(f apiclient.Field) bool { return f.Name == name }); at >= 0 {
					value = d.Extra[at].Value
				}
				row = append(row, value)
			}
			sheet.Rows = append(sheet.Rows, row)
		}
		what := money.Count(int64(len(all))) + " deliveries"
		if len(all) == 1 {
			what = "1 delivery"
		}
		return saveas.Table{Sheet: sheet, What: what + problem.LeftOut(len(listed)-len(all))}
	}
}
