package mercury

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

// account is an account in an answer. Treasury and credit accounts have no name, number, kind and
// type.
type account struct {
	ID                string          `json:"id"`
	Name              string          `json:"name"`
	Nickname          string          `json:"nickname"`
	AccountNumber     string          `json:"accountNumber"`
	Status            string          `json:"status"`
	Type              string          `json:"type"`
	Kind              string          `json:"kind"`
	LegalBusinessName string          `json:"legalBusinessName"`
	AvailableBalance  json.RawMessage `json:"availableBalance"`
	CurrentBalance    json.RawMessage `json:"currentBalance"`
}

const (
	pageSize = 1000
	maxPages = 1000
)

// deposits returns the accounts that hold deposits, and accounts at other banks that the company
// has linked.
func (p *provider) deposits(ctx context.Context) ([]account, error) {
	return p.pagesOfAccounts(ctx, "/accounts")
}

// treasuries returns the treasury accounts.
func (p *provider) treasuries(ctx context.Context) ([]account, error) {
	return p.pagesOfAccounts(ctx, "/treasury")
}

// cards returns the credit card accounts.
func (p *provider) cards(ctx context.Context) ([]account, error) {
	var answer struct {
		Accounts *[]account `json:"accounts"`
	}
	if err := p.get(ctx, "/credit", nil, answerTimeout, &answer); err != nil {
		return nil, err
	}
	if answer.Accounts == nil {
		return nil, missing("accounts")
	}
	return *answer.Accounts, nil
}

// pagesOfAccounts returns the accounts on all pages of a listing, each once.
func (p *provider) pagesOfAccounts(ctx context.Context, path string) ([]account, error) {
	return pages(func(after string) ([]account, error) {
		var answer struct {
			Accounts *[]account `json:"accounts"`
		}
		if err := p.get(ctx, path, pageQuery(after), answerTimeout, &answer); err != nil {
			return nil, err
		}
		if answer.Accounts == nil {
			return nil, missing("accounts")
		}
		return *answer.Accounts, nil
	}, func(a *account) string { return a.ID })
}

// pageQuery returns the parameters for the page of a listing after the item with an id.
func pageQuery(after string) url.Values {
	query := url.Values{"limit": {strconv.Itoa(pageSize)}, "order": {"asc"}}
	if after != "" {
		query.Set("start_after", after)
	}
	return query
}

// pages returns the items of all pages of a listing. The function next returns the page after the
// item with an id; an empty page is the end. An item that is repeated is returned once, as it was
// read last. A page without any new item is an error, because the listing would never end.
func pages[T any](next func(after string) ([]T, error), id func(*T) string) (items []T, err error) {
	at, after := map[string]int{}, ""
	for range maxPages {
		page, err := next(after)
		if err != nil || len(page) == 0 {
			return items, err
		}
		known := len(items)
		for i := range page {
			key := id(&page[i])
			if key == "" {
				return nil, missing("id")
			}
			if before, repeated := at[key]; repeated {
				items[before] = page[i]
				continue
			}
			at[key] = len(items)
			items = append(items, page[i])
		}
		if len(items) == known {
			return nil, malformed("its pages repeat")
		}
		after = id(&page[len(page)-1])
	}
	return nil, malformed("its list has more than %d pages", maxPages)
}

func missing(field string) error { return malformed("the field %q is missing in its answer", field) }

// listed returns the account as the user chooses it.
func (a *account) listed() (providers.Account, error) {
	listed := providers.Account{
		ID: a.ID, Currency: currency,
		Account: bank.Account{
			Number: bank.Text(a.AccountNumber), Bank: title,
			Name: bank.Text(cmp.Or(a.Nickname, a.Name)), Kind: kindOf(a.Kind),
		},
	}
	switch {
	case a.Type == "":
		return listed, missing("type")
	case a.Type != "mercury":
		listed.Refused = "it is an account at another bank"
		return listed, nil
	case a.Status == "deleted", a.Status == "archived":
		listed.Refused = "it is closed"
		return listed, nil
	case a.Status == "pending":
		listed.Refused = "it is not open yet"
		return listed, nil
	case listed.Number == "":
		return listed, missing("accountNumber")
	}
	balance, err := a.balance()
	listed.Balance = &balance
	return listed, err
}

// kindOf returns the kind of an account. Mercury's list of kinds is open.
func kindOf(text string) bank.Kind {
	switch text = strings.ToLower(text); {
	case strings.Contains(text, "saving"):
		return bank.KindSavings
	case strings.Contains(text, "checking"):
		return bank.KindChecking
	}
	return bank.KindUnknown
}

const treasuryStart = "treasury/"

// treasuryID returns the id of a treasury account as this package passes it on. Mercury may also
// list the account with its own id among the others.
func treasuryID(id string) string { return treasuryStart + id }

func isTreasury(id string) bool { return strings.HasPrefix(id, treasuryStart) }

// treasury returns a treasury account as the user chooses it. Mercury gives these accounts neither
// names nor numbers.
func (a *account) treasury(index int) (providers.Account, error) {
	name := "Treasury"
	if index > 0 {
		name = fmt.Sprintf("Treasury %d", index+1)
	}
	listed := providers.Account{
		ID: treasuryID(a.ID), Currency: currency,
		Account: bank.Account{Bank: title, Name: name, Kind: bank.KindSavings},
	}
	if a.Status == "deleted" || a.Status == "archived" {
		listed.Refused = "it is closed"
		return listed, nil
	}
	balance, err := a.balance()
	listed.Balance = &balance
	return listed, err
}

// card returns a credit card account, which cannot be taken.
func (a *account) card(index int) providers.Account {
	return providers.Account{
		ID: "credit/" + a.ID, Currency: currency,
		Account: bank.Account{Bank: title, Name: fmt.Sprintf("Credit card %d", index+1), Kind: bank.KindCard},
		Refused: "Mercury does not document whether a card's debt is positive or negative; import the card's statements",
	}
}

// balance returns the account's balance. Mercury gives no time for it.
func (a *account) balance() (b providers.Balance, err error) {
	if b.CurrentMinor, err = cents("currentBalance", a.CurrentBalance); err != nil {
		return providers.Balance{}, err
	}
	if b.AvailableMinor, err = cents("availableBalance", a.AvailableBalance); err != nil {
		return providers.Balance{}, err
	}
	return b, nil
}

// cents returns an amount in USD cents from the text of a JSON number. A number with a fraction of
// a cent or an exponent is an error, because it would have to be rounded.
func cents(field string, number json.RawMessage) (int64, error) {
	if len(number) == 0 {
		return 0, missing(field)
	}
	minor, err := bank.ParseAmount(string(number), '.', currency)
	if err != nil {
		return 0, malformed("the field %q is %s, which %s", field, bank.Short(bank.Text(string(number))), err)
	}
	return minor, nil
}
