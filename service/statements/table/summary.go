package table

import (
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// summary says what the text of a row stands for if it is no text of a transaction.
type summary uint8

const (
	notSummary summary = iota
	isBalance
	isTotalRow
	// isPerhapsTotal and isPerhapsBalance are texts such as "Total" and "New Balance", which are
	// names of companies too.
	isPerhapsTotal
	isPerhapsBalance
)

// Words of texts that are only a balance or a total, in the form that fold returns. balanceHeads
// and totalHeads say that a text is one, qualifiers say which, and connectives join them with
// dates.
var (
	balanceHeads = words(`balance|balances|bal|saldo|saldi|saldos|kontostand|solde|soldes|endsaldo|anfangssaldo|
		abschlusssaldo|schlusssaldo|schlussaldo|eroffnungssaldo|buchsaldo|tagessaldo|tagesendsaldo|zwischensaldo|
		kontosaldo|saldovortrag|saldoubertrag|anfangsbestand|endbestand|kontoendstand|anfangsstand|endstand|beginsaldo|
		eindsaldo|slutsaldo|slutsaldot|ingangssaldo|startsaldo|primosaldo|ultimosaldo|loppusaldo|alkusaldo|zustatek|
		zostatok|algsaldo|loppsaldo|likutis|atlikums|egyenleg|nyitoegyenleg|zaroegyenleg|bakiye|остаток|残高|
		繰越残高|
		余额|期初余额|期末余额|잔액`)
	carriedWords = words(`brought|carried`)
	carriedEnds  = words(`forward|fwd|down|over|f|d`)
	totalHeads   = words(`total|totals|subtotal|sum|sums|summe|summen|gesamt|gesamtsumme|gesamtbetrag|zwischensumme|
		endsumme|summa|suma|somme|totale|totali|totaal|totaux|totales|totalt|yhteensa|celkem|osszesen|toplam|turnover|
		kaive|apyvarta|apgrozijums|итого|
		合計|小計|合计|小计|합계`)
	qualifiers = words(`opening|open|closing|close|beginning|ending|starting|start|end|current|previous|prior|old|final|
		initial|last|first|statement|ledger|account|book|booked|posted|forwarded|fwd|bf|cf|b|f|c|d|in|out|brought|carried|
		forward|down|alter|altes|neuer|neues|aktueller|aktuelles|letzter|vorheriger|gebuchter|anfang|ende|konto|
		ancien|nouveau|precedent|crediteur|debiteur|comptable|initial|compte|anterior|actual|contable|inicial|nuevo|
		cuenta|iniziale|finale|contabile|precedente|conto|begin|eind|vorig|nieuw|oud|ingaende|utgaende|inngaende|
		pradinis|galutinis|pradziai|pabaigai|sakuma|beigu|poczatkowe|koncowe|poczatkowy|koncowy|pocatecni|konecny|
		nyito|zaro|initiaal|входящий|
		исходящий|начальный|конечный|期初|期末|前月|当月`)
	availableWords = words(`available|verfugbar|verfugbarer|disponible|disponibile|beschikbaar|disponivel|tillganglig|
		disponibelt`)
	totalQualifiers = words(`debits|debit|credits|credit|deposits|withdrawals|in|out|money|month|period|year|week|day|
		page|statement|account|amount|net|grand|transactions|movements|income|expenses|soll|haben|belastungen|
		gutschriften|ausgaben|einnahmen|umsatze|monat|zeitraum|mois|periode|debiteur|crediteur|mouvements|mes|
		periodo|cargos|abonos|movimientos|dare|avere|mese|movimenti|af|bij|maand`)
	connectives = words(`as|at|of|on|the|for|per|from|to|and|this|am|vom|zum|zu|auf|dem|der|des|im|bis|und|fur|in|au|du|
		de|le|la|en|a|al|el|del|da|do|das|dos|di|il|alla|dal|op|van|voor|het|den|pr|fra|til|na|ze|dnia|k|ke|dne|
		january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|
		aug|sep|sept|oct|nov|dec|januar|februar|marz|mai|juni|juli|oktober|dezember|janvier|fevrier|mars|avril|juin|
		juillet|aout|septembre|octobre|novembre|decembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|
		octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|januari|
		februari|maart|mei|augustus|janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro`)
	// totalFor lists beginnings of totals that name what they are of.
	totalFor = []string{"total for ", "totals for ", "summe fur ", "total pour ", "totale per ", "totaal voor "}
)

// summaryOf says what a text stands for. Every word of a summary must be one of balances, totals,
// dates or currencies: "Closing balance fee" and "Total Energies" are none.
func summaryOf(text string) summary {
	if len(text) > 80 {
		return notSummary
	}
	if first := firstWord(text); !isSummaryWord(first) && first != "new" {
		return notSummary
	}
	text = fold(text)
	for _, beginning := range totalFor {
		if strings.HasPrefix(text, beginning) {
			return isTotalRow
		}
	}
	all := strings.Fields(text)
	var balance, total, available, carried, qualified, fresh bool
	for i, word := range all {
		switch {
		case balanceHeads[word]:
			balance = true
		case totalHeads[word]:
			total = true
		case availableWords[word]:
			available = true
		case word == "new":
			fresh = true
		case qualifiers[word], totalQualifiers[word]:
			qualified = true
			carried = carried || carriedWords[word] && i+1 < len(all) && carriedEnds[all[i+1]]
		case isSummaryWord(word):
		default:
			return notSummary
		}
	}
	switch {
	case total && (balance || qualified):
		return isTotalRow
	case total:
		return isPerhapsTotal
	case balance && fresh:
		return isPerhapsBalance
	case balance && available:
		return isTotalRow // it differs from the booked balance
	case balance, carried:
		return isBalance
	}
	return notSummary
}

// firstWord returns the first word of a text, folded. Most texts of lines begin with a word that no
// summary has, and the others need not be folded.
func firstWord(text string) string {
	for field := range strings.FieldsSeq(text) {
		if first, _, _ := strings.Cut(fold(field), " "); first != "" {
			return first
		}
	}
	return ""
}

// isSummaryWord reports whether a folded word, other than "new", is in texts of balances and
// totals.
func isSummaryWord(word string) bool {
	return balanceHeads[word] || totalHeads[word] || availableWords[word] || qualifiers[word] ||
		totalQualifiers[word] || connectives[word] || isYearOrDay(word) || bank.IsCurrency(strings.ToUpper(word))
}

// isYearOrDay reports whether a word is a number of a date.
func isYearOrDay(word string) bool {
	for i := range len(word) {
		if !isDigit(word[i]) {
			return false
		}
	}
	return len(word) <= 2 || len(word) == 4 && (strings.HasPrefix(word, "19") || strings.HasPrefix(word, "20"))
}

// summarized returns the kind of a row with a date and an amount. It is a transaction unless all
// its texts and names are those of a balance or a total. The amount of a balance is its balance.
func (r *reader) summarized(to *row) kind {
	l, found := r.layout, notSummary
	for _, columns := range [...][]int{l.party, {l.payer, l.payee}, l.text} {
		for _, column := range columns {
			cell := to.field(column)
			if cell == "" {
				continue
			}
			next := summaryOf(cell)
			if next == notSummary || found != notSummary && found != next {
				return kindTransaction
			}
			found = next
		}
	}
	if found == notSummary {
		found = r.summarizedElsewhere(to)
	}
	switch to.summary = found; found {
	case isBalance:
		r.takeBalance(to)
		return kindBalance
	case isTotalRow:
		return kindOther
	case isPerhapsTotal, isPerhapsBalance:
		return kindPerhapsSummary
	}
	return kindTransaction
}

// summarizedElsewhere says what a row without texts and names stands for, by its other cells: files
// write "Closing balance" in the column of references, methods or categories, too.
func (r *reader) summarizedElsewhere(to *row) summary {
	found := notSummary
	for column, cell := range to.fields {
		if cell == "" || r.layout.isFigure(column) || isValue(cell) || debitOrCredit(cell) != 0 ||
			bank.IsCurrency(strings.ToUpper(cell)) {
			continue
		}
		next := summaryOf(cell)
		if next == notSummary || found != notSummary && found != next {
			return notSummary
		}
		found = next
	}
	return found
}

// isFigure reports whether a column has dates, amounts, accounts or currencies.
func (l *layout) isFigure(column int) bool {
	return slices.Contains(l.dates, column) || slices.Contains([]int{
		l.value, l.amount, l.debit, l.credit, l.sign, l.fee, l.balance, l.currency, l.account, l.otherAccount, l.status,
	}, column)
}

// takeBalance makes the amount of a row its balance, unless the row has one in a column.
func (r *reader) takeBalance(to *row) {
	if !to.balanced {
		to.balance, to.balanced = to.minor, true
	}
	to.moved = false
}

// weigh decides by the amount what a row of kindPerhapsSummary is: the sum of the lines before it,
// of those in or of those out, or the balance after them, is no transaction.
func (r *reader) weigh(one *row) (kind, error) {
	of, err := r.account(one)
	if err != nil {
		return kindOther, err
	}
	c, sum := &of.chain, abs(one.minor)
	total := of.lines > 1 && (sum == abs(of.total.amount) || sum == of.in || sum == -of.out)
	balance := c.started && (one.minor == c.last+c.since.amount || one.balanced && one.minor == one.balance)
	switch {
	case one.summary == isPerhapsTotal && total:
		r.evidence.summaries[one.line] = true
		return kindOther, nil
	case one.summary == isPerhapsBalance && balance:
		r.evidence.summaries[one.line] = true
		r.takeBalance(one)
		return kindBalance, nil
	}
	return kindTransaction, nil
}
