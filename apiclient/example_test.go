package apiclient_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

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
	for transaction, err := range client.Transactions(context.Background(), apiclient.TransactionQuery{Keyword: "rent"}) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		fmt.Println(transaction.Date, transaction.Direction, transaction.Amount)
		break
	}
	// Output: 2026-11-20 outflow 1,500 JPY
}
