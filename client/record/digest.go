package record

import (
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Days describes what came in and went out in some days.
func Days(first, last civil.Date, count int64, flows figures.Flows) Object {
	return Object{
		date("from", "From", first.String()), date("to", "To", last.String()), Count("count", "Rows", &count),
		total("inflow_cents", "In", flows.In), total("outflow_cents", "Out", flows.Out), total("net_cents", "Net", flows.Net),
	}
}

// Unusual describes a payment that is larger than all of its counterparty in a year. highest is the
// largest of these; it is unknown if no payment is known.
func Unusual(id string, day civil.Date, name string, amount, highest figures.Total) Object {
	return Object{
		Text("id", "ID", id), date("date", "Date", day.String()), counterpartyName("Counterparty", name),
		total("amount_cents", "Amount", amount), total("highest_before_cents", "Highest before", highest),
	}
}

// Due describes something that is to be paid soon. kind is "bill" or "recurring".
func Due(day civil.Date, name, kind, what string, amount figures.Total) Object {
	due := date("due_on", "Due", day.String())
	due.null = day.IsZero()
	return Object{
		due, Text("name", "To", name), Text("kind", "Kind", kind), Text("what", "What", what),
		total("amount_cents", "Amount", amount),
	}
}
