package table

import "strings"

// methodWords lists words of texts that only say how money was paid, or in which direction.
var methodWords = words(`ach|wire|fedwire|check|cheque|chq|chk|card|debit|credit|deposit|deposits|withdrawal|
	withdrawals|transfer|
	transfers|xfer|trf|tfr|payment|payments|pmt|pos|atm|eft|direct|bill|billpay|pay|online|mobile|web|zelle|
	quickpay|bacs|chaps|faster|fps|fpi|fpo|bgc|bp|dd|so|deb|dep|cpt|chg|mpi|mpo|standing|order|sepa|swift|rtp|instant|fee|
	fees|charge|charges|interest|int|other|misc|adjustment|refund|reversal|return|returned|sale|purchase|cash|contactless|
	chip|pin|transaction|txn|in|out|incoming|outgoing|inward|outward|inbound|outbound|domestic|international|internal|
	external|acct|account|dslip|slip|electronic|automatic|book|dr|cr|d|c|received|sent|money|counter|
	lastschrift|gutschrift|gutschr|uberweisung|ueberweisung|dauerauftrag|kartenzahlung|karte|auszahlung|einzahlung|
	barauszahlung|bareinzahlung|bargeldauszahlung|abschluss|entgeltabschluss|basislastschrift|folgelastschrift|
	erstlastschrift|einmallastschrift|firmenlastschrift|echtzeit|echtzeituberweisung|onlineuberweisung|
	gutschriftsuberweisung|uberweisungsgutschrift|uberweisungsauftrag|lohn|gehalt|umbuchung|zahlungseingang|
	zahlungsausgang|ruckbuchung|rucklastschrift|girocard|kreditkarte|kreditkartenzahlung|entgelt|entgelte|gebuhr|gebuhren|
	zinsen|einzug|abbuchung|belastung|vergutung|scheck|soll|haben|s|h|
	virement|virements|prelevement|prelevements|carte|retrait|dab|cb|versement|frais|paiement|cotisation|recu|emis|remise|
	achat|avoir|especes|permanent|instantane|europeen|faveur|votre|vir|prlv|chq|
	transferencia|transferencias|recibo|recibos|tarjeta|pago|cargo|abono|ingreso|reintegro|comision|adeudo|bizum|compra|
	cajero|nomina|recibida|emitida|debe|haber|pix|ted|boleto|debito|credito|automatico|levantamento|deposito|
	bonifico|addebito|accredito|prelievo|prelevamento|pagamento|commissioni|giroconto|assegno|sdd|carta|stipendio|
	disposizione|entrata|uscita|dare|avere|
	overboeking|incasso|betaalautomaat|ideal|geldautomaat|acceptgiro|verzamelbetaling|diversen|bankgiro|kosten|storting|
	opname|af|bij|bankkaart|overschrijving|domiciliering|
	overforing|kort|kortkop|korttransaktion|autogiro|betaling|betalning|giro|insattning|uttag|lon|swish|vipps|mobilepay|
	przelew|wychodzacy|przychodzacy|karta|karty|platnosc|wyplata|wplata|prowizja|odsetki|zlecenie|stale|blik|
	platba|poplatek|vyber|vklad|prevod|utalas|atutalas`)

// methodConnectives lists words that join those of methodWords.
var methodConnectives = words(`by|via|with|and|of|to|from|de|du|par|por|per|en|in|tramite|mit|auf|am|a`)

// isMethod reports whether a text only says how money was paid, or in which direction.
func isMethod(text string) bool {
	if len(text) > 60 {
		return false
	}
	found := false
	for word := range strings.FieldsSeq(fold(text)) {
		if !methodWords[word] && !methodConnectives[word] {
			return false
		}
		found = found || methodWords[word]
	}
	return found
}
