package bookrules

import (
	"slices"
	"strings"
)

// Words with which banks describe interest, taxes on it and their own fees.
var routineWords = wordSet(`
	INTEREST FEE FEES CHARGE CHARGES DIRT MAINTENANCE
	ZINSEN HABENZINSEN ZINSGUTSCHRIFT ABSCHLUSS RECHNUNGSABSCHLUSS KAPITALERTRAGSTEUER ABGELTUNGSTEUER
	SOLIDARITÄTSZUSCHLAG SOLIDARITAETSZUSCHLAG
	ENTGELT ENTGELTE GEBÜHR GEBÜHREN GEBUEHR GEBUEHREN KONTOFÜHRUNG KONTOFUEHRUNG
	INTÉRÊTS INTERETS INTÉRÊT AGIOS FRAIS COMMISSION COMMISSIONS INTERESES COMISIÓN COMISION COMISIONES
	INTERESSI COMPETENZE COMMISSIONI SPESE BOLLO RENTE KOSTEN JUROS COMISSÃO TARIFA ODSETKI OPŁATA RÄNTA RENTER KORKO`)

// closingPhrases are phrases with which banks say that an account is closed or moves to another
// bank.
var closingPhrases = []string{
	"ACCOUNT CLOSURE", "ACCOUNT CLOSED", "ACCOUNT IS CLOSED", "CLOSURE OF ACCOUNT", "CLOSING ACCOUNT",
	"CLOSING OF ACCOUNT",
	"CLOSE ACCOUNT", "CLOSED ACCOUNT", "ACCOUNT SWITCH", "SWITCH SERVICE", "CASS SWITCH", "SWITCHED ACCOUNT",
	"KONTOAUFLÖSUNG", "KONTOAUFLOESUNG", "AUFLÖSUNG KONTO", "AUFLÖSUNG DES KONTOS", "KONTOSCHLIESSUNG",
	"KONTOSCHLIEßUNG",
	"KONTOWECHSEL", "CLÔTURE DE COMPTE", "CLOTURE DE COMPTE", "CLÔTURE DU COMPTE", "CLOTURE DU COMPTE",
	"CLÔTURE COMPTE",
	"CLOTURE COMPTE", "MOBILITÉ BANCAIRE", "MOBILITE BANCAIRE", "CIERRE DE CUENTA", "CIERRE CUENTA",
	"CANCELACIÓN DE CUENTA", "CANCELACION DE CUENTA", "CHIUSURA CONTO", "CHIUSURA DEL CONTO", "ESTINZIONE CONTO",
	"OPHEFFING REKENING", "OPHEFFEN REKENING", "OVERSTAPSERVICE", "ENCERRAMENTO DE CONTA", "ZAMKNIĘCIE RACHUNKU",
}

// IsRoutine reports whether a text is that of interest or of a bank's own fee.
func IsRoutine(text string) bool {
	return slices.ContainsFunc(strings.Fields(words(text)), func(word string) bool { return routineWords[word] })
}

// IsClosingNotice reports whether a text says that its account is closed, or moves to another bank.
func IsClosingNotice(text string) bool {
	t := evidenceText{words: words(text)}
	return t.hasAny(closingPhrases)
}
