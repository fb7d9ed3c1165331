package views

import (
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// RecordKind is the kind of a record that the finder lists.
type RecordKind int

// Values of RecordKind, in the order in which the finder lists them.
const (
	NameRecord RecordKind = iota // a counterparty or a customer
	InvoiceRecord
	MonthRecord
	AccountRecord
	RecordKinds // number of kinds
)

// String returns what a record of the kind is called.
func (k RecordKind) String() string {
	return [...]string{"name", "invoice", "month", "account"}[k]
}

// Record is something in memory that the finder lists by its name.
type Record struct {
	Kind RecordKind
	Name string
	Hint string // what else there is to say about it, such as an invoice's customer
	To   Visit  // opens it
}

// NameOf returns the record of a counterparty, which opens its transactions.
func NameOf(name string) Record {
	return Record{Kind: NameRecord, Name: name, To: Visit{Transactions, TransactionsTarget{Keyword: name}}}
}

// Place is a page on which a row of another page is too.
type Place struct {
	Label string
	To    Visit
}

// PlacesOf returns the places of a counterparty or customer, or none if it has no name.
func PlacesOf(name string) []Place {
	if name == "" {
		return nil
	}
	return []Place{
		{"Transactions of " + name, Visit{Transactions, TransactionsTarget{Keyword: name}}},
		{"What recurs with " + name, Visit{Spend, SpendTarget{Figures: SpendRecurring, Counterparty: name}}},
		{"What " + name + " owes", Visit{Receivables, ReceivablesTarget{Customer: name}}},
		{"The next thirteen weeks", Visit{Runway, RunwayTarget{Weeks: true}}},
	}
}

// PlacesOfMonth returns the places of the month that begins on the given day. What changed a month
// is known once it is over.
func PlacesOfMonth(first, today civil.Date) (places []Place) {
	name := figures.YearMonth(first)
	if first.LastOfMonth().Before(today) {
		changes := SpendTarget{Figures: SpendChanges, Month: first}
		places = append(places, Place{"Why " + name + " changed", Visit{Spend, changes}})
	}
	all := TransactionsTarget{From: first, To: first.LastOfMonth()}
	return append(places, Place{"Transactions of " + name, Visit{Transactions, all}})
}
