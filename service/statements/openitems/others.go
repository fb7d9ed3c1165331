package openitems

import (
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
)

// isBill reports whether a type of transaction counts in a list of bills: bills, credits, and
// payments that no bill was assigned to. Lists without types have nothing else.
func isBill(kind string) bool {
	kind = strings.ToLower(kind)
	return kind == "" || strings.HasPrefix(kind, "bill") || kind == "accpay" || kind == "item receipt" ||
		isCredit(kind) || strings.Contains(kind, "payment") || strings.Contains(kind, "purchase invoice") ||
		strings.Contains(kind, "rechnung") || strings.Contains(kind, "fact") || strings.Contains(kind, "fattura")
}

// otherType sums up the transactions of a type that does not count.
type otherType struct {
	kind, currency string
	first          int // number of the first line
	count          int
	minor          int64
}

// maxOthers is the largest number of types of transactions that do not count.
const maxOthers = 200

// passOther adds a transaction that is no bill to the totals of the list alone.
func (r *reader) passOther(item bank.OpenItem, kind string) error {
	if err := r.groups.add(item.Place, item.Minor, item.Currency); err != nil {
		return err
	}
	at := slices.IndexFunc(r.others, func(o otherType) bool { return o.kind == kind && o.currency == item.Currency })
	if at < 0 {
		if at = len(r.others); at == maxOthers {
			return bank.Errorf(item.Place, "more than %d types of transactions that are no bills", maxOthers)
		}
		r.others = append(r.others, otherType{kind: kind, currency: item.Currency, first: item.Place})
	}
	o := &r.others[at]
	o.count++
	var fits bool
	if o.minor, fits = money.Add(o.minor, item.Minor); !fits {
		return bank.Errorf(item.Place, "the amounts are too large to be added up")
	}
	return nil
}

// nameOthers says which transactions of the list are no bills, with their sum.
func (r *reader) nameOthers() {
	for _, o := range r.others {
		r.sink.Problem(o.first, fmt.Sprintf("%s of the type %q, %s %s in all, %s no bill to pay and counted in totals only",
			plural.Count(o.count, "transaction"), bank.Short(o.kind), money.Format(o.minor, o.currency), o.currency,
			map[bool]string{true: "is", false: "are"}[o.count == 1]))
	}
}

// oneItem returns the word for what the file lists with its article.
func (r *reader) oneItem() string {
	if r.list.Side == bank.Payable {
		return "a bill"
	}
	return "an invoice"
}
