package apiclient_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"tarmac/apiclient"
)

func Example() {
	server := httptest.NewServer(answering(`{"org_id":"org_1","status":"open","synced_at":null,
		"balance":{"available_cents":1234500,"holding_cents":0,"locked_cents":0,"pending_cents":0}}`))
	defer server.Close()

	client, err := apiclient.New(server.URL, apiclient.Token("svc_org_example"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	account, err := client.Account(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	if account.Balance != nil {
		fmt.Println("spendable cents:", account.Balance.AvailableCents)
	}
	// Output: spendable cents: 1234500
}

func ExampleClient_Transactions() {
	server := httptest.NewServer(http.HandlerFunc(answering(pageJSON)))
	defer server.Close()

	client, err := apiclient.New(server.URL, apiclient.Token("svc_org_example"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	november := apiclient.TransactionQuery{
		From: apiclient.NewDate(2026, time.November, 1),
		To:   apiclient.NewDate(2026, time.November, 30),
	}
	for transaction, err := range client.Transactions(context.Background(), november) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		fmt.Println(transaction.Date, transaction.Direction, transaction.Amount)
		break
	}
	// Output: 2026-11-20 outflow ¥1,500
}

func ExampleParseDate() {
	due, err := apiclient.ParseDate("2026-12-31")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	today := apiclient.DateOf(time.Date(2026, time.November, 20, 9, 5, 0, 0, time.UTC))
	fmt.Println(due, due.After(today), today.AddDays(30))
	// Output: 2026-12-31 true 2026-12-20
}
