package webhooks

import (
	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views/parts/saveas"
)

// table returns a function that builds a table of the listed deliveries. It keeps the current
// endpoint even if the selection changes later.
func (s *Screen) table() func() saveas.Table {
	listed := make([]apiclient.WebhookDelivery, len(s.filter.deliveries))
	for i, d := range s.filter.deliveries {
		listed[i] = *d
	}
	return func() saveas.Table { return saveas.List(listed, record.Delivery, "delivery") }
}
