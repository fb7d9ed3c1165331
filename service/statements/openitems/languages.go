package openitems

// translated lists the column names of each role in other languages and programs, in the form that
// normalize returns, by preference: German (DATEV, sevDesk, lexoffice), French, Spanish, Dutch,
// Italian and Portuguese, and English as ERPNext, Odoo and Zoho write it.
var translated = [roles][]string{
	number: {
		"voucher no", "reference number", "rechnungsnummer", "rechnungsnr", "rechnungs nr", "rechnung nr", "rechnung",
		"belegnummer", "belegnr", "beleg nr", "belegfeld 1", "opos nr", "numero de facture", "n° de facture",
		"n° facture", "no facture", "numero facture", "facture", "n° piece", "numero de piece", "numero de factura",
		"n° factura", "nº factura", "num factura", "factura", "factuurnummer", "factuurnr", "factuur", "factuur nr",
		"boekstuknummer", "numero fattura", "n fattura", "fattura", "numero da fatura", "fatura",
	},
	party: {
		"party", "party name", "partner", "kunde", "kundenname", "debitor", "debitorname", "debitorenname",
		"kontobezeichnung", "kontenbezeichnung", "kontakt", "firma", "name des kunden", "client", "nom du client",
		"nom client", "tiers", "nom du tiers", "raison sociale", "cliente", "nombre del cliente", "nombre cliente",
		"nombre", "klant", "klantnaam", "debiteur", "naam", "relatie", "relatienaam", "nome cliente",
	},
	issued: {
		"posting date", "rechnungsdatum", "belegdatum", "datum", "ausstellungsdatum", "buchungsdatum", "date de facture",
		"date de la facture", "date facture", "date de piece", "date d'emission", "date emission", "fecha de factura",
		"fecha factura", "fecha de emision", "fecha emision", "fecha", "factuurdatum", "boekdatum", "data fattura",
		"data documento", "data",
	},
	due: {
		"falligkeit", "falligkeitsdatum", "fallig am", "fallig", "faellig", "faelligkeit", "faelligkeitsdatum",
		"faellig am", "zahlbar bis", "zahlungsziel", "netto fallig", "date d'echeance", "date echeance", "echeance",
		"echeance le", "fecha de vencimiento", "fecha vencimiento", "vencimiento", "vence", "vervaldatum", "vervaldag",
		"uiterste betaaldatum", "data scadenza", "scadenza", "data de vencimento", "vencimento",
	},
	amountDue: {
		"outstanding amount", "outstanding amt", "open amt", "amount residual", "residual amount", "offener betrag",
		"betrag offen", "offen", "offener posten", "offener saldo", "op betrag", "restbetrag", "rest", "ausstehend",
		"ausstehender betrag", "noch offen", "zu zahlen", "zahlbetrag offen", "montant restant du", "restant du",
		"reste du", "reste a payer", "reste a regler", "montant du", "solde du", "montant ouvert", "solde restant",
		"importe pendiente", "pendiente", "saldo pendiente", "pendiente de cobro", "pendiente de pago",
		"openstaand bedrag", "openstaand", "nog te betalen", "restant", "resterend", "importo residuo",
		"importo aperto", "residuo", "saldo aperto", "valor em aberto", "em aberto", "saldo", "solde",
	},
	paid: {},
	currency: {
		"wahrung", "waehrung", "whg", "devise", "monnaie", "divisa", "moneda", "valuta", "munt", "moeda",
	},
	kind:   {"voucher type", "belegart", "belegtyp", "art", "typ", "type de piece", "tipo", "soort", "document type"},
	status: {"zahlungsstatus", "rechnungsstatus", "statut", "estado", "stato"},
}

// vendorNames lists the names of columns of vendors.
var vendorNames = []string{
	"vendor full name", "vendor name", "vendor", "supplier name", "supplier", "lieferant", "lieferantenname", "kreditor",
	"kreditorname", "fournisseur", "nom du fournisseur", "proveedor", "nombre del proveedor", "leverancier", "crediteur",
	"fornitore", "fornecedor",
}

// totalWords lists the first words of rows of totals.
var totalWords = []string{
	"total", "totals", "grand total", "sum", "summe", "summen", "gesamt", "gesamtsumme", "gesamtbetrag", "endsumme",
	"zwischensumme", "total general", "total général", "sous-total", "suma", "subtotal", "totaal", "eindtotaal",
	"subtotaal", "totale", "totale generale",
}

// creditWords lists parts of the types of credits.
var creditWords = []string{
	"credit", "gutschrift", "avoir", "abono", "nota de cr", "creditnota", "creditfactuur", "nota di cr", "storno",
	"return", "retour",
}

// paidStates lists the states of invoices that are paid, and those of invoices that customers don't
// have to pay.
var (
	paidStates = []string{"paid", "true", "bezahlt", "beglichen", "payée", "payee", "réglée", "pagada",
		"pagado", "betaald",
		"pagata", "paga"}
	leftOut = []string{
		"draft", "void", "voided", "deleted", "submitted", "awaiting approval", "uncollectible", "cancelled", "canceled",
		"entwurf", "storniert", "brouillon", "annulée", "annulee", "borrador", "anulada", "concept", "geannuleerd", "bozza",
		"annullata",
	}
)

// asOfStarts lists the words before a list's day.
var asOfStarts = []string{
	"as of ", "as at ", "stand: ", "stand ", "stichtag: ", "stichtag ", "per ", "zum ", "au ", "arrêté au ",
	"situation au ",
	"a fecha de ", "al ", "op ", "peildatum: ", "peildatum ", "situazione al ",
}
