// Package readings says what unanswered questions about own books leave out of a net burn, and what
// it is after other answers.
package readings

import (
	"fmt"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Unanswered describes the unanswered questions about the months of a net burn. Burn leaves out
// what they are about until they are answered. Amounts are in minor units of the position's
// currency.
type Unanswered struct {
	Questions int
	InMinor   int64   // money in that is left out
	OutMinor  int64   // money out that is left out
	Transfers int     // possible transfers between own accounts that are left out
	Low, High Reading // the lowest and the highest net burn that answers can make of it
}

// Reading is what the figures are after a certain answer to each question.
type Reading struct {
	BurnMinor int64 // net burn of a month in minor units; 0 means that the company is not burning
	Tenths    int64 // runway in tenths of a month; 0 without burn or without cash
}

// Sentence says what the unanswered questions leave out of a net burn, and what it is after other
// answers: "2 unanswered questions: $31,400.00 of money in and 1 possible own transfer are left
// out. If the money in is income, net burn is $12,100.00 a month and runway 41.0 months."
// burnMinor is the net burn beside the sentence in minor units of the currency; 0 stands for no
// net burn. It returns "" without questions.
func (u Unanswered) Sentence(burnMinor int64, currency string) string {
	if u.Questions == 0 {
		return ""
	}
	var left []string
	if u.InMinor > 0 {
		left = append(left, money.Text(u.InMinor, currency)+" of money in")
	}
	if u.OutMinor > 0 {
		left = append(left, money.Text(u.OutMinor, currency)+" of money out")
	}
	if u.Transfers > 0 {
		left = append(left, plural.Count(u.Transfers, "possible own transfer"))
	}
	verb := "is"
	if len(left) > 1 || u.InMinor+u.OutMinor == 0 && u.Transfers > 1 {
		verb = "are"
	}
	low, high := "If it is income", "At most"
	switch {
	case u.InMinor > 0 && u.OutMinor > 0:
		low, high = "If the money in is income", "If the money out is a cost"
	case u.OutMinor > 0:
		low, high = "If it is no transfer", "If it is a cost"
	case u.InMinor == 0:
		low = "If it is no transfer"
	}
	text := fmt.Sprintf("%s: %s %s left out.", plural.Count(u.Questions, "unanswered question"),
		strings.Join(left, " and "), verb)
	if u.Low.BurnMinor != burnMinor {
		text += " " + low + ", " + u.Low.text(currency) + "."
	}
	if u.High.BurnMinor > burnMinor {
		text += " " + high + ", " + u.High.text(currency) + "."
	}
	return text
}

// text says the net burn and the runway of the reading, such as "net burn is $12,100.00 a month
// and runway 41.0 months".
func (r Reading) text(currency string) string {
	switch {
	case r.BurnMinor == 0:
		return "there is no net burn"
	case r.Tenths == 0:
		return "net burn is " + money.Text(r.BurnMinor, currency) + " a month"
	}
	return fmt.Sprintf("net burn is %s a month and runway %d.%d months", money.Text(r.BurnMinor, currency),
		r.Tenths/10, r.Tenths%10)
}
