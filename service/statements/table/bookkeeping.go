package table

import (
	"regexp"
	"slices"
)

// bookkeepingNames lists columns that companies' books have and statements of banks do not.
var bookkeepingNames = words(`journal|journals|journal entry|journal code|journalcode|journallib|split|split account|
	ledger|ledger account|ledger account name|general ledger account|gl account|g l account|account code|
	nominal|nominal code|nominal account|nominal ac|analytic account|cost center|cost centre|kostenstelle|sachkonto|
	sachkontonummer|belegfeld 1|konto soll|konto haben|buchungskreis|bu schlussel|compte general|compte comptable|
	comptenum|comptelib|ecriturenum|ecriturelib|code journal|piece comptable|asiento|num asiento|subcuenta|
	cuenta contable|conto contabile|centro di costo|dagboek|grootboek|grootboekrekening|grootboeknummer|boekstuk|
	boekstuknummer|bilagsnr|bilagsnummer|konto ksiegowe|tositelaji|matching number|勘定科目`)

// numberNames lists columns of the number of an entry in the books. Few banks have them, and not
// beside the type of the transaction.
var numberNames = words(`num|trans #|entry no`)

// typeNames lists columns of the type of a transaction.
var typeNames = words(`type|transaction type|trans type|txn type|document type|doc type|voucher type|vch type`)

// ledgerAccount matches an account of a chart of accounts: a short number and a name, as in "101401
// Bank", or a path, as in "Assets:Bank".
var ledgerAccount = regexp.MustCompile(`^(?:\d{2,8}(?:\s*[-–·:./]\s*|\s+)\pL|\pL[^:]*:\s*\pL)`)

// isBookkeeping reports whether a file is from a company's own books: it has a journal, the other
// side of each entry, a ledger account, or the number and the type of each entry.
func isBookkeeping(c chooser) bool {
	named := func(names map[string]bool) bool {
		return slices.ContainsFunc(c.columns, func(one column) bool { return names[one.name] })
	}
	return named(bookkeepingNames) || named(numberNames) && named(typeNames) ||
		slices.ContainsFunc(c.columns, isLedgerAccount)
}

// isLedgerAccount reports whether the cells of a column of accounts are of a chart of accounts.
func isLedgerAccount(one column) bool {
	return (one.role == roleAccount || one.role == roleSomeAccount) && len(one.distinct) > 0 &&
		!slices.ContainsFunc(one.distinct, func(cell string) bool {
			return !ledgerAccount.MatchString(cell) || iban.MatchString(cell)
		})
}

// sideNames lists column names, and parts of them, for the debits of bookkeeping.
var sideNames = words(`debit|debits|debit amount|amount debit|debit amt|dr|dr amount|debit montant|montant debit|
	soll|sollbetrag|umsatz soll|betrag soll|debet|debetbelopp|debe|dare|importo addebito|debito|debitos|borc|
	借方|借方金額|借方发生额|veloitus|kwota wn|wn`)

// hasLedgerSides reports whether the words debit and credit tell the directions apart.
func (l *layout) hasLedgerSides(c chooser) bool {
	if l.amount == none {
		if l.debit == none || l.credit == none {
			return false
		}
		name, _ := withoutCurrency(c.columns[l.debit].name)
		return sideNames[name]
	}
	return l.sign != none && slices.ContainsFunc(c.columns[l.sign].distinct, func(cell string) bool {
		return sideWords[fold(cell)]
	})
}

// sideWords lists words in cells for the debits of bookkeeping.
var sideWords = words(`d|dr|debit|debet|soll|s|debe|dare|debito|借`)
