package books

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"

	"github.com/BurntSushi/toml"

	"tarmac/internal/money"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// TransferRuleFor returns the text of a rule that gives the outcome to a line and to all lines with
// the same account, amount, direction and text. The outcome must say whether these lines are sides
// of transfers between own accounts. The text belongs at the beginning of the rules file, because
// the first rule that matches decides.
func TransferRuleFor(a Account, l bank.Line, o Outcome) (string, error) {
	written := struct {
		Match        string `toml:"match"`
		Account      string `toml:"account"`
		Amount       string `toml:"amount"`
		Direction    string `toml:"direction"`
		Counterparty string `toml:"counterparty,omitempty"`
		Category     string `toml:"category,omitempty"`
		Memo         string `toml:"memo,omitempty"`
		Transfer     any    `toml:"transfer"`
	}{
		Match:   "^" + regexp.QuoteMeta(cmp.Or(l.Description, l.Counterparty, l.Reference)) + "$",
		Account: a.Number, Amount: plainAmount(l.Minor, a.Currency), Direction: "out",
		Counterparty: o.Counterparty, Category: o.Category, Memo: o.Memo, Transfer: o.Transfer.Own,
	}
	if direction(l.Minor) == ledger.Inflow {
		written.Direction = "in"
	}
	if o.Transfer.Own && o.Transfer.Account != "" {
		written.Transfer = o.Transfer.Account
	}
	var text bytes.Buffer
	text.WriteString("[[rule]]\n")
	if err := toml.NewEncoder(&text).Encode(written); err != nil {
		return "", fmt.Errorf("writing a rule: %w", err)
	}
	text.WriteByte('\n')
	return text.String(), nil
}

// plainAmount returns an amount without a sign and without thousands separators.
func plainAmount(minor int64, currency string) string {
	return string(bytes.ReplaceAll([]byte(money.Format(magnitude(minor), currency)), []byte(","), nil))
}
