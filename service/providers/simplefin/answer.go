package simplefin

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// accountSet is an answer with accounts. Version 2 of the protocol has Problems and Connections;
// version 1 has Errors, and an organization in each account.
type accountSet struct {
	Problems    []problem    `json:"errlist"`
	Errors      []string     `json:"errors"`
	Connections []connection `json:"connections"`
	Accounts    *[]account   `json:"accounts"`
}

// problem is an error that the server reports in an answer.
type problem struct {
	Code       string `json:"code"`
	Text       string `json:"msg"`
	Message    string `json:"message"` // in examples of the protocol in place of msg
	Connection string `json:"conn_id"`
	Account    string `json:"account_id"`
}

// connection is a login at a bank.
type connection struct {
	ID   string `json:"conn_id"`
	Name string `json:"name"`
	Bank string `json:"org_name"`
}

// organization is a bank in version 1.
type organization struct {
	Domain string `json:"domain"`
	Name   string `json:"name"`
	ID     string `json:"id"`
}

type account struct {
	ID           string            `json:"id"`
	Name         string            `json:"name"`
	Connection   string            `json:"conn_id"`
	Organization organization      `json:"org"`
	Currency     string            `json:"currency"`
	Balance      decimal           `json:"balance"`
	Available    decimal           `json:"available-balance"`
	BalanceDate  int64             `json:"balance-date"`
	Transactions []transaction     `json:"transactions"`
	Holdings     []json.RawMessage `json:"holdings"`
}

type transaction struct {
	ID          string  `json:"id"`
	Posted      *int64  `json:"posted"`
	Amount      decimal `json:"amount"`
	Description string  `json:"description"`
	Happened    int64   `json:"transacted_at"`
	Pending     bool    `json:"pending"`
	Payee       string  `json:"payee"`
	Memo        string  `json:"memo"`
}

// decimal is the text of an amount. The protocol has it in quotes; a JSON number is read from its
// own text.
type decimal string

// UnmarshalJSON reads a text or a number.
func (d *decimal) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case 'n': // null
		return nil
	case '"':
		return json.Unmarshal(data, (*string)(d))
	case '{', '[', 't', 'f':
		return &json.UnmarshalTypeError{Value: "no amount", Type: reflect.TypeFor[string]()}
	}
	*d = decimal(data)
	return nil
}

// minor returns the amount in minor units of a currency. Only digits with a decimal point and a
// sign are amounts, and they are not rounded.
func (d decimal) minor(currency string) (int64, error) {
	text := string(d)
	if strings.Trim(strings.TrimPrefix(text, "-"), "0123456789.") != "" {
		return 0, bank.ErrAmount
	}
	return bank.ParseAmount(text, '.', currency)
}

// denied reports whether the server does not accept the credentials. It then sends an empty list of
// accounts, which does not mean that there are none.
func (s *accountSet) denied() bool {
	return slices.ContainsFunc(s.Problems, func(p problem) bool { return p.Code == "gen.auth" })
}

// missing returns the name of a required field that an answer lacks, and "" if it has all.
func (s *accountSet) missing() string {
	if s.Accounts == nil {
		return "accounts"
	}
	for i := range *s.Accounts {
		a := &(*s.Accounts)[i]
		switch {
		case a.ID == "":
			return "accounts.id"
		case a.Currency == "":
			return "accounts.currency"
		case a.Balance == "":
			return "accounts.balance"
		}
		for n := range a.Transactions {
			switch t := &a.Transactions[n]; {
			case t.ID == "":
				return "accounts.transactions.id"
			case t.Posted == nil:
				return "accounts.transactions.posted"
			case t.Amount == "":
				return "accounts.transactions.amount"
			}
		}
	}
	return ""
}

// amountReason says in words why a text is no amount of a currency.
func amountReason(err error, currency string) string {
	if errors.Is(err, bank.ErrPrecision) {
		return "has more decimals than " + currency
	}
	return err.Error()
}
