package samplefiles

import (
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
)

// The banks of the sample company. Routing numbers, account numbers, BICs and the bank code in the
// IBAN are from ranges that no real bank has. Their check digits are valid.
var (
	harborPine = bankfiles.Institution{Name: "Harbor & Pine Bank", Routing: "990001232"}

	operatingAccount = bank.Account{
		Number: "440012344821", Bank: harborPine.Name, Name: "Operating", Kind: bank.KindChecking,
	}
	cardAccount = bank.Account{
		Number: "9999990000099016", Bank: harborPine.Name, Name: "Company card", Kind: bank.KindCard,
	}
	euroAccount = bank.Account{
		Number: "DE40999000000041200731", Bank: "HRPIDEF0", Name: "Euro", Kind: bank.KindChecking,
	}
	poundAccount = bank.Account{
		Number: "GB94HRPI99999941200731", Bank: "HRPIGB00", Name: "Pound", Kind: bank.KindChecking,
	}
	savingsAccount = bank.Account{Number: "9800417733", Bank: "NGTSUS30", Name: "Savings", Kind: bank.KindSavings}
)

// account is a bank account of the sample company with the lines of all its statements.
type account struct {
	bank.Account
	currency string
	opening  int64       // balance before the first line
	balance  int64       // balance after the booked lines
	lines    []bank.Line // ordered by day after number was called, pending lines last
}

// book adds a line to the account. A pending line does not change the balance.
func (a *account) book(l bank.Line) {
	a.lines = append(a.lines, l)
	if !l.Pending {
		a.balance += l.Minor
	}
}

// number orders the lines by day and gives the booked ones the ids that a bank would assign.
func (a *account) number() {
	slices.SortStableFunc(a.lines, func(x, y bank.Line) int { return x.Booked.Compare(y.Booked) })
	ofDay := 0
	for i := range a.lines {
		l := &a.lines[i]
		if ofDay++; i == 0 || a.lines[i-1].Booked != l.Booked {
			ofDay = 1
		}
		if !l.Pending {
			l.ID = fmt.Sprintf("%s%04d", strings.ReplaceAll(l.Booked.String(), "-", ""), ofDay)
		}
	}
}

// balanceAt returns the booked balance at the end of a day.
func (a *account) balanceAt(day civil.Date) int64 {
	balance := a.opening
	for _, l := range a.lines {
		if !l.Pending && !l.Booked.After(day) {
			balance += l.Minor
		}
	}
	return balance
}

// statement returns the account's statement from firstDay to lastDay, without pending lines.
func (a *account) statement(firstDay, lastDay civil.Date) bankfiles.Statement {
	before := firstDay.AddDays(-1)
	s := bankfiles.Statement{Statement: bank.Statement{
		Account: a.Account, Currency: a.currency, First: firstDay, Last: lastDay,
		Opening: &bank.Balance{Minor: a.balanceAt(before), Date: before},
		Closing: &bank.Balance{Minor: a.balanceAt(lastDay), Date: lastDay},
	}}
	for _, l := range a.lines {
		if !l.Pending && !l.Booked.Before(firstDay) && !l.Booked.After(lastDay) {
			s.Lines = append(s.Lines, l)
		}
	}
	return s
}

// withPending returns the statement s with the account's pending lines added.
func (a *account) withPending(s bankfiles.Statement) bankfiles.Statement {
	for _, l := range a.lines {
		if l.Pending {
			s.Lines = append(s.Lines, l)
		}
	}
	return s
}
