package cli

import (
	"context"

	"tarmac/apiclient"
	"tarmac/client/annotations"
)

// demoNotes returns what somebody at the sample company has written: a note at the newest cost
// without a receipt. It is kept until the program ends.
func demoNotes(ctx context.Context, client *apiclient.Client) (*annotations.File, error) {
	const mostRows = 50
	page, err := client.TransactionPage(ctx, apiclient.TransactionQuery{
		Direction: apiclient.Outflow, Limit: mostRows,
	})
	if err != nil {
		return nil, err
	}
	set := annotations.Set{}
	for _, t := range page.Data {
		if !t.HasReceipt && t.Amount.Known() && t.Category != "" {
			set[t.ID] = annotations.Annotation{Note: "No receipt yet, asked for it"}
			break
		}
	}
	return annotations.InMemory(set), nil
}
