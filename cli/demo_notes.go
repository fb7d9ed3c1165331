package cli

import (
	"context"
	"fmt"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/internal/civil"
)

// demoPlan returns the plan of the sample company: a case that hires two engineers in two months.
// It is kept until the program ends.
func demoPlan(today civil.Date, currency string) plan.Store {
	const monthsAhead = 2
	from := figures.YearMonth(today.FirstOfMonth().AddMonths(monthsAhead))
	hiring := fmt.Sprintf("case \"Hiring\": hire 2 \"engineer\" 9k/month from %s\n", from)
	return plan.InMemory(plan.Begin(today, currency) + hiring)
}

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
