package table

import (
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// Words of balances that open or close a statement, in the form that fold returns.
var (
	openingWords = words(`opening|open|beginning|starting|start|previous|prior|old|brought|alter|altes|anfang|
		anfangssaldo|anfangsbestand|anfangsstand|eroffnungssaldo|saldovortrag|vorheriger|initial|ancien|precedent|
		inicial|anterior|iniziale|precedente|begin|beginsaldo|vorig|oud|ingaende|inngaende|ingangssaldo|startsaldo|
		primosaldo|alkusaldo|algsaldo|pradinis|pradziai|sakuma|poczatkowe|poczatkowy|pocatecni|nyito|nyitoegyenleg|
		начальный|входящий|
		期初|前月|繰越残高`)
	closingWords = words(`closing|close|ending|end|final|new|carried|neuer|neues|ende|endsaldo|endbestand|endstand|
		abschlusssaldo|schlusssaldo|schlussaldo|nouveau|nuevo|finale|eind|eindsaldo|nieuw|utgaende|slutsaldo|
		slutsaldot|ultimosaldo|loppusaldo|loppsaldo|galutinis|pabaigai|beigu|koncowe|koncowy|konecny|zaro|
		zaroegyenleg|исходящий|конечный|
		期末`)
)

// statedEnd is a balance that opens or closes a statement in a row of its own.
type statedEnd struct {
	rows  int // number of such rows
	minor int64
	day   civil.Date
}

func (e *statedEnd) add(one *row) {
	e.rows++
	e.minor, e.day = one.balance, one.booked
}

// addEnd stores the balance of a row if its text says that it opens or closes the statement.
func (a *account) addEnd(one *row) {
	for _, cell := range one.fields {
		if summaryOf(cell) != isBalance && summaryOf(cell) != isPerhapsBalance {
			continue
		}
		for word := range strings.FieldsSeq(fold(cell)) {
			switch {
			case openingWords[word]:
				a.opened.add(one)
				return
			case closingWords[word]:
				a.closed.add(one)
				return
			}
		}
	}
}

// setStatedEnds sets the balances of a statement from the rows that open and close it, wherever
// they stand in the file. It returns false if there isn't one of each, or if the lines don't lead
// from one to the other.
func (r *reader) setStatedEnds(of *account) bool {
	if of.opened.rows != 1 || of.closed.rows != 1 || of.first.IsZero() || of.chain.large {
		return false
	}
	total, opening, closing := of.total.amount, of.opened.minor, of.closed.minor
	if r.flip {
		total = -total
	}
	if r.owed {
		opening, closing = -opening, -closing
	}
	if opening+total != closing {
		return false
	}
	day := of.last
	if day.Before(of.closed.day) {
		day = of.closed.day
	}
	of.statement.Opening = &bank.Balance{Minor: opening, Date: of.first.AddDays(-1)}
	of.statement.Closing = &bank.Balance{Minor: closing, Date: day}
	return true
}
