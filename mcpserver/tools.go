package mcpserver

import (
	"context"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tarmac/apiclient"
	"tarmac/client/assistant"
	"tarmac/client/payables"
)

// Limits of texts that a client sends, in characters.
const (
	maxWord   = 64
	maxSearch = 200
	maxCursor = 512
)

// addReaders adds the tools that read.
func (s *server) addReaders() {
	addReader(s, "cash", "Cash, burn and runway",
		"The account's balance, cash on hand, net burn per month, runway in months and the month in which cash runs out. "+
			"Burn and runway are estimates.", nil,
		func(ctx context.Context, _ struct{}) (*assistant.Cash, error) {
			return assistant.GetCash(ctx, s.Source, s.Now())
		})
	addReader(s, "transactions", "Transactions",
		"Transactions, newest first, with the totals of all that match, by period, direction and text. Use limit 1 if "+
			"only totals are asked for.",
		properties{
			"period": maxLength(maxWord), "search": maxLength(maxSearch), "cursor": maxLength(maxCursor),
			"direction": oneOf(apiclient.Inflow, apiclient.Outflow),
			"limit":     upTo(assistant.MaxTransactions, assistant.DefaultRows),
		},
		func(ctx context.Context, in assistant.TransactionsInput) (*assistant.Transactions, error) {
			return assistant.GetTransactions(ctx, s.Source, s.today(), in)
		})
	addReader(s, "invoices", "Invoices", "The newest invoices, newest first, of one status or of all.",
		properties{
			"limit": upTo(assistant.MaxInvoices, assistant.DefaultRows),
			"status": oneOf(apiclient.InvoiceDraft, apiclient.InvoiceSent, apiclient.InvoicePaid, apiclient.InvoiceOverdue,
				apiclient.InvoiceVoided),
		},
		func(ctx context.Context, in assistant.InvoicesInput) (*assistant.Invoices, error) {
			return assistant.ListInvoices(ctx, s.Source, in)
		})
	addReader(s, "invoice", "One invoice", "One invoice by its id.",
		properties{"id": maxLength(maxWord)},
		func(ctx context.Context, in assistant.InvoiceInput) (*assistant.Invoice, error) {
			return assistant.GetInvoice(ctx, s.Source, in)
		})
	addReader(s, "receivables", "Receivables",
		"What customers owe, by days past due, and the customers with the largest overdue amounts.", nil,
		func(ctx context.Context, _ struct{}) (*assistant.Receivables, error) {
			return assistant.GetReceivables(ctx, s.Source)
		})
	addReader(s, "bills", "Bills to pay",
		"What the company owes to vendors: sums, past due, due in the next days, and the bills. Servers without own books "+
			"keep no bills; the sums are unknown then.",
		properties{
			"vendor": maxLength(maxSearch), "days": upTo(366, payables.Week),
			"limit": upTo(assistant.MaxBills, assistant.DefaultRows),
		},
		func(ctx context.Context, in assistant.BillsInput) (*assistant.Bills, error) {
			return assistant.GetBills(ctx, s.Source, s.today(), in)
		})
	addReader(s, "events", "Events",
		"What happened in the last 90 days, newest first: invoices sent, paid or overdue, payments held or completed.",
		properties{
			"limit": upTo(assistant.MaxEvents, assistant.DefaultRows), "cursor": maxLength(maxCursor),
			"types": eachOneOf(assistant.EventTypes()),
		},
		func(ctx context.Context, in assistant.EventsInput) (*assistant.Events, error) {
			return assistant.ListEvents(ctx, s.Source, in)
		})
	addReader(s, "alerts", "What is watched",
		"The alerts of the company's people, which limits are crossed now, and when somebody looked last. They can be read "+
			"and not changed.", nil,
		func(ctx context.Context, _ struct{}) (*assistant.Alerts, error) {
			return assistant.GetAlerts(ctx, s.Alerts)
		})
	s.addHistoryTools()
}

// addHistoryTools adds the tools that read the transactions of past months. They answer one
// question after the other, because each may hold tens of thousands of rows.
func (s *server) addHistoryTools() {
	addReader(s, "overview", "How the company stands",
		"How long the cash lasts, what this month has used of it, why the runway and the last full month changed, and what "+
			"customers owe: a sentence each, with the figures and transactions that it comes from.", nil,
		oneByOne(s, func(ctx context.Context, _ struct{}) (*assistant.Overview, error) {
			return assistant.GetOverview(ctx, s.Source, s.today())
		}))
	addReader(s, "spend", "Where the money goes",
		"The counterparties of the last full months by amount, and the change against as many months before.",
		properties{
			"months":    upTo(assistant.MaxSpendMonths, assistant.DefaultSpendMonths),
			"limit":     upTo(assistant.MaxCounterparties, assistant.DefaultRows),
			"direction": oneOf(apiclient.Inflow, apiclient.Outflow),
		},
		oneByOne(s, func(ctx context.Context, in assistant.SpendInput) (*assistant.Spend, error) {
			return assistant.GetSpend(ctx, s.Source, s.today(), in)
		}))
	addReader(s, "forecast", "Forecast",
		"An estimate of money in, money out and cash for each of the next weeks, at most thirteen, with its basis and its "+
			"error in tests on the past.",
		properties{"weeks": upTo(assistant.MaxWeeks, assistant.MaxWeeks)},
		oneByOne(s, func(ctx context.Context, in assistant.ForecastInput) (*assistant.Forecast, error) {
			return assistant.GetForecast(ctx, s.Source, s.today(), in)
		}))
	addReader(s, "plan", "The company's plan",
		"What the company's plan comes to, all of it hypothetical: how long the cash lasts with it, without raises and in "+
			"each case, by when money must be there and signed for, and on request a month against the plan.",
		properties{"month": maxLength(maxWord)},
		oneByOne(s, func(ctx context.Context, in assistant.PlanInput) (*assistant.Plan, error) {
			return assistant.GetPlan(ctx, s.Source, s.Plans, s.today(), in)
		}))
}

// oneByOne returns answer for calls that wait until no other history is being read.
func oneByOne[In, Out any](
	s *server, answer func(context.Context, In) (*Out, error),
) func(context.Context, In) (*Out, error) {
	return func(ctx context.Context, in In) (*Out, error) {
		release, err := acquire(ctx, s.history)
		if err != nil {
			return nil, err
		}
		defer release()
		return answer(ctx, in)
	}
}

// addReader adds a tool that changes nothing.
func addReader[In, Out any](
	s *server, name, title, description string, bounds properties, answer func(context.Context, In) (*Out, error),
) {
	closed := false
	tool := &mcp.Tool{
		Name: name, Description: description, InputSchema: schemaOf[In](bounds),
		Annotations: &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, OpenWorldHint: &closed},
	}
	mcp.AddTool(s.mcp, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, *Out, error) {
		release, err := acquire(ctx, s.calls)
		if err != nil {
			return nil, nil, err
		}
		defer release()
		out, err := answer(ctx, in)
		if err != nil {
			return nil, nil, failure{assistant.FailureOf(err)}
		}
		return nil, out, nil
	})
}

// properties are changes of the properties of an input schema, by their names.
type properties map[string]func(*jsonschema.Schema)

// schemaOf returns the schema of a tool's input.
func schemaOf[In any](bounds properties) *jsonschema.Schema {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // a bug: the type has no schema
	}
	for name, bound := range bounds {
		bound(schema.Properties[name])
	}
	return schema
}

func maxLength(characters int) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) { s.MaxLength = &characters }
}

// upTo limits an integer to the range from 1 to most, and says what its absence means.
func upTo(most, missing int) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		lowest, highest := 1.0, float64(most)
		s.Minimum, s.Maximum = &lowest, &highest
		s.Description += fmt.Sprintf("; %d if missing", missing) // the SDK cannot add defaults to null
	}
}

func oneOf[T ~string](values ...T) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		for _, value := range values {
			s.Enum = append(s.Enum, string(value))
		}
	}
}

// eachOneOf limits a list to distinct values.
func eachOneOf(values []string) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		most := len(values)
		s.Types, s.Type = nil, "array" // not null
		s.MaxItems, s.UniqueItems = &most, true
		oneOf(values...)(s.Items)
	}
}
