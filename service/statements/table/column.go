package table

import (
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// column holds the name of a column and how many of its cells look like dates, amounts and so on.
type column struct {
	name     string // name in the header, in the form that fold returns
	role     role
	weak     bool   // true if the name only contains a word that hints at the role
	currency string // currency in the name, as in "Amount (EUR)"; else ""
	rows     int    // number of records that look like transactions
	filled   int
	dates    int
	amounts  int
	decimals int // number of amounts with decimals or a sign
	codes    int // number of currency codes
	signs    int // number of words for debit or credit
	methods  int // number of texts that only say how money was paid
	distinct []string
	cells    []string // one for each of the rows
}

// maxDistinct is the largest length of column.distinct.
const maxDistinct = 8

// add counts a cell of the column and what it looks like.
func (c *column) add(cell string) {
	c.rows++
	c.cells = append(c.cells, cell)
	if cell == "" {
		return
	}
	c.filled++
	if _, ok := scanDate(cell); ok {
		c.dates++
	}
	if _, ok := scanAmount(cell); ok {
		c.amounts++
		if strings.ContainsAny(cell, ".,-+") {
			c.decimals++
		}
	}
	if bank.IsCurrency(strings.ToUpper(cell)) {
		c.codes++
	}
	if debitOrCredit(cell) != 0 {
		c.signs++
	}
	if isMethod(cell) {
		c.methods++
	}
	if len(c.distinct) < maxDistinct && !slices.Contains(c.distinct, cell) {
		c.distinct = append(c.distinct, strings.Clone(cell))
	}
}

// mostly reports whether count is at least nine tenths of the cells that are not empty.
func (c *column) mostly(count int) bool { return c.filled > 0 && count*10 >= c.filled*9 }

// bothSides reports whether the cells have words for debit and words for credit.
func (c *column) bothSides() bool {
	return slices.ContainsFunc(c.distinct, func(cell string) bool { return debitOrCredit(cell) < 0 }) &&
		slices.ContainsFunc(c.distinct, func(cell string) bool { return debitOrCredit(cell) > 0 })
}

// fits reports whether the cells look like the cells of a column with the role r.
func (c *column) fits(r role) bool {
	if c.filled == 0 {
		return true
	}
	switch r {
	case roleBooked, roleDate, roleTraded, roleValueDate:
		return c.dates*2 >= c.filled
	case roleAmount, roleDebit, roleCredit, roleNet, roleGross, roleFee, roleBalance, roleOpening, roleClosing,
		roleOriginal:
		return c.amounts*2 >= c.filled
	case roleCurrency, roleOriginalCurrency:
		return c.codes*2 >= c.filled
	case roleSign:
		return c.mostly(c.signs)
	}
	return true
}

// moveRole handles exports in which the header Amount stands above the currencies, and the amounts
// stand in the next column, which has no name. It moves the role to that column.
func (c *column) moveRole(next *column) {
	moves := c.role == roleAmount || c.role == roleBalance
	if next.name == "" && moves && c.mostly(c.codes) && next.mostly(next.amounts) {
		next.role, next.currency = c.role, c.currency
		c.role = roleCurrency
	}
}

// correctRole corrects the role by the content of the cells if the name is ambiguous or the cells
// do not fit the role.
func (c *column) correctRole() {
	switch {
	case c.role == roleValue && c.mostly(c.dates), c.role == roleCurrency && c.mostly(c.dates):
		c.role = roleValueDate
	case c.role == roleValue && c.mostly(c.codes):
		c.role = roleCurrency
	case c.role == roleValue && c.mostly(c.amounts):
		c.role = roleAmount
	case c.role == roleValue:
		c.role = roleNone
	case (c.role == roleDebit || c.role == roleCredit) && c.filled > 0 && c.mostly(c.signs) && c.amounts == 0:
		c.role = roleSign
	case (c.role == roleCard || c.role == roleReference || c.role == roleID) && c.filled == 0:
		c.role = roleNone
	case !c.fits(c.role):
		c.role = roleNone
	}
}

// resembling lists parts of column names that hint at a role. The most specific come first.
var resembling = []struct {
	part string
	role role
}{
	{"initial", roleNone}, {"final", roleNone}, {"period", roleNone}, {"statement", roleNone}, {"expir", roleNone},
	{"original amount", roleOriginal}, {"foreign", roleNone}, {"value date", roleValueDate}, {"valuta", roleValueDate},
	{"balance", roleBalance}, {"saldo", roleBalance}, {"solde", roleBalance}, {"kontostand", roleBalance},
	{"残高", roleBalance}, {"余额", roleBalance}, {"잔액", roleBalance},
	{"withdraw", roleDebit}, {"debit", roleDebit}, {"deposit", roleCredit}, {"credit", roleCredit},
	{"출금", roleDebit}, {"입금", roleCredit}, {"出金", roleDebit}, {"入金", roleCredit},
	{"posting date", roleBooked}, {"booking date", roleBooked}, {"buchungs", roleBooked},
	{"date", roleDate}, {"datum", roleDate}, {"fecha", roleDate}, {"dato", roleDate},
	{"amount", roleAmount}, {"betrag", roleAmount}, {"montant", roleAmount}, {"importe", roleAmount}, {"importo",
		roleAmount},
	{"bedrag", roleAmount}, {"belopp", roleAmount}, {"belob", roleAmount}, {"kwota", roleAmount},
	{"castka", roleAmount}, {"osszeg", roleAmount}, {"сумма", roleAmount},
	{"currency", roleCurrency}, {"wahrung", roleCurrency}, {"description", roleText}, {"verwendungszweck", roleText},
}

// roleOf returns the role of a column by its name in the header, and the currency in that name. The
// result weak is true if the name is not in headers and only contains a part that hints at the
// role.
func roleOf(header string) (r role, currency string, weak bool) {
	name := fold(header)
	if r = headers()[name]; r != roleNone || name == "" || len(name) > 60 {
		return r, "", false
	}
	rest, currency := withoutCurrency(name)
	switch {
	case strings.Contains(header, "€"):
		currency = "EUR"
	case strings.Contains(header, "£"):
		currency = "GBP"
	}
	if r = headers()[rest]; r != roleNone {
		return r, currency, false
	}
	if rest == "" && currency != "" {
		return roleAmount, currency, true
	}
	for _, hint := range resembling {
		if strings.Contains(rest, hint.part) {
			if hint.role.isMoney() && isCharge(rest) {
				return roleNone, currency, true
			}
			return hint.role, currency, true
		}
	}
	return roleNone, currency, true
}

// chargeWords are words of columns that hold a part of an amount or something beside it.
var chargeWords = words(`fee|fees|charge|charges|commission|tax|taxes|vat|gst|cashback|rebate|reward|rewards|points|
	gebuhr|gebuhren|entgelt|steuer|mwst|ust|umsatzsteuer|mehrwertsteuer|rabatt|bonus|
	frais|tva|taxe|taxes|ht|impuesto|iva|comision|comisiones|commissione|commissioni|imposta|imposte|btw|kosten|
	avgift|avgifter|moms|gebyr|prowizja|podatek|poplatek|dph|afa|adozas|tip|discount|refunded|limit`)

func (r role) isMoney() bool {
	switch r {
	case roleAmount, roleDebit, roleCredit, roleBalance:
		return true
	}
	return false
}

// includingWords stand before a charge that an amount includes or no longer has: "Total (incl.
// VAT)" and "Amount (after fees)" are amounts.
var includingWords = words(`incl|including|inclusive|after|with|inkl|inklusive|einschliesslich|mit|nach|ttc|compris|
	inclus|con|incluido|incluso|inclusief|met|efter`)

// isCharge reports whether a folded name is of fees, taxes or a discount. Such a column is never
// taken for the amount or a balance because its name resembles theirs.
func isCharge(name string) bool {
	included := false
	for word := range strings.FieldsSeq(name) {
		included = included || includingWords[word]
		if chargeWords[word] && !included {
			return true
		}
	}
	return false
}

// withoutCurrency removes a currency from the end or the start of a folded name, as in "betrag in
// eur", "debit euros" and "gbp amount". It also removes time zones such as "utc".
func withoutCurrency(name string) (rest, currency string) {
	words := strings.Fields(name)
	if last := len(words) - 1; last >= 0 {
		switch word := words[last]; {
		case word == "utc" || word == "gmt" || word == "cet" || word == "local":
			words = words[:last]
		case word == "euro" || word == "euros" || word == "euroa":
			words, currency = words[:last], "EUR"
		case bank.IsCurrency(strings.ToUpper(word)):
			words, currency = words[:last], strings.ToUpper(word)
		case len(words) > 1 && bank.IsCurrency(strings.ToUpper(words[0])) && words[0] != "all":
			words, currency = words[1:], strings.ToUpper(words[0])
		}
	}
	isName := headers()[strings.Join(words, " ")] != roleNone // such as "paid in"
	if last := len(words) - 1; last > 0 && !isName && (words[last] == "in" || words[last] == "en" || words[last] == "i") {
		words = words[:last]
	}
	return strings.Join(words, " "), currency
}
