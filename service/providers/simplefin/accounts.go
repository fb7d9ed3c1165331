package simplefin

import (
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

// listing returns the accounts of an answer.
func (p *provider) listing(set *accountSet) (providers.Listing, error) {
	found := p.collectProblems(set)
	listing := providers.Listing{Notices: found.notices}
	for i := range *set.Accounts {
		a := &(*set.Accounts)[i]
		one := providers.Account{ID: a.key(), Account: set.describe(a), Currency: a.currency()}
		if one.Currency == "" {
			one.Refused = "its unit is no currency"
		} else if balance, err := a.present(); err != nil {
			one.Refused = "its balance cannot be read: " + err.Error()
		} else {
			one.Balance = balance
		}
		listing.Accounts = append(listing.Accounts, one)
	}
	return listing, nil
}

// ownPrefix is the beginning of the Bridge's own ids.
const ownPrefix = "ACT-"

// key returns the id of an account that is unique within the access. The Bridge's own ids are, and
// they stay when a login is replaced; ids of other servers are unique within a login only.
func (a *account) key() string {
	if login := a.connectionID(); login != "" && !strings.HasPrefix(a.ID, ownPrefix) {
		return login + "/" + a.ID
	}
	return a.ID
}

// hasConnection reports whether the key of an account begins with the id of its login.
func hasConnection(key string) bool {
	return !strings.HasPrefix(key, ownPrefix) && strings.Contains(key, "/")
}

// connectionID returns the id of the login of an account, or in version 1 what identifies its bank.
func (a *account) connectionID() string {
	for _, id := range []string{a.Connection, a.Organization.Domain, a.Organization.ID, a.Organization.Name} {
		if id != "" {
			return id
		}
	}
	return ""
}

// currency returns the ISO 4217 code of an account's currency. It returns "" for units of other
// kinds, such as air miles, which the protocol identifies by URLs.
func (a *account) currency() string {
	if code := strings.ToUpper(strings.TrimSpace(a.Currency)); bank.IsCurrency(code) {
		return code
	}
	return ""
}

// describe returns an account as statements describe it. SimpleFIN has no account numbers; many
// names end with the last digits of the number.
func (s *accountSet) describe(a *account) bank.Account {
	described := bank.Account{Name: bank.Text(a.Name), Number: lastDigits(a.Name), Bank: bank.Text(a.Organization.Name)}
	if described.Bank == "" {
		described.Bank = bank.Text(a.Organization.Domain)
	}
	for _, c := range s.Connections {
		if c.ID == a.Connection && c.ID != "" {
			if described.Bank = bank.Text(c.Name); described.Bank == "" {
				described.Bank = bank.Text(c.Bank)
			}
		}
	}
	if len(a.Holdings) > 0 {
		described.Kind = bank.KindInvestment
	}
	return described
}

// lastDigits returns the digits at the end of an account's name, such as 1234 in "Checking (1234)"
// and "Checking …1234". It returns "" for fewer than four digits.
func lastDigits(name string) string {
	const fewest = 4
	name = strings.TrimRight(name, ")] ")
	digits := name[len(strings.TrimRight(name, "0123456789")):]
	if len(digits) < fewest {
		return ""
	}
	return digits
}

// present returns the balance of an account.
func (a *account) present() (*providers.Balance, error) {
	current, err := a.Balance.minor(a.currency())
	if err != nil {
		return nil, err
	}
	balance := &providers.Balance{CurrentMinor: current, AvailableMinor: current}
	if a.Available != "" {
		if balance.AvailableMinor, err = a.Available.minor(a.currency()); err != nil {
			return nil, err
		}
	}
	if _, ok := dayOf(a.BalanceDate); ok {
		balance.At = time.Unix(a.BalanceDate, 0).UTC()
	}
	return balance, nil
}

// dayOf returns the day of Unix seconds in UTC. ok is false for 0 and for years that no statement
// can have.
func dayOf(seconds int64) (day civil.Date, ok bool) {
	const lastSecond = 1 << 34 // in the year 2514; larger numbers are milliseconds or mistakes
	if seconds <= 0 || seconds > lastSecond {
		return civil.Date{}, false
	}
	t := time.Unix(seconds, 0).UTC()
	return bank.Day(t.Year(), int(t.Month()), t.Day())
}
