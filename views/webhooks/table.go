package webhooks

import (
	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views/parts/saveas"
)

// table returns what makes a table of the deliveries that are listed, of this endpoint
// whatever is chosen later.
func (s *Screen) table() func() saveas.Table {
	listed := make([]apiclient.WebhookDelivery, len(s.filter.deliveries))
	for i, d := range s.filter.deliveries {
		listed[i] = *d
	}
	return func() saveas.Table { return saveas.List(listed, record.Delivery, "delivery") }
}
