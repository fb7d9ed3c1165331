package webhooks

import (
	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views/parts/saveas"
)

// table returns a function that builds the table to export. The function exports the deliveries
// that are listed now, even if another endpoint is selected before it is called.
func (s *Screen) table() func() saveas.Table {
	listed := make([]apiclient.WebhookDelivery, len(s.filter.deliveries))
	for i, d := range s.filter.deliveries {
		listed[i] = *d
	}
	return func() saveas.Table { return saveas.List(listed, record.Delivery, "delivery") }
}
