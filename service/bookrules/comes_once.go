package bookrules

import (
	"slices"
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/service/statements/bank"
)

// Words that together say why money comes once, in the languages of the files.
var (
	taxWords = wordSet(`
	TAX TAXES VAT GST PAYE HMRC IRS FINANZAMT STEUER UMSATZSTEUER KÖRPERSCHAFTSTEUER GEWERBESTEUER IMPÔT IMPOT
	IMPÔTS IMPOTS TVA DGFIP SIE IVA IMPUESTO IMPUESTOS AEAT IRPF IMPOSTA IMPOSTE BELASTINGDIENST BTW
	OMZETBELASTING SKATTEVERKET SKATT MOMS SKAT VERO ALV PODATEK DPH VMI EMTA KÄIBEMAKS PVM`)
	taxCompounds = []string{
		"STEUERERSTATTUNG", "STEUERRÜCKERSTATTUNG", "STEUERRUECKERSTATTUNG", "STEUERGUTHABEN", "BELASTINGTERUGGAAF",
		"SKATTEÅTERBÄRING", "MOMSÅTERBETALNING", "VERONPALAUTUS",
	}
	// taxOffices never pay but to give back.
	taxOffices = []string{
		"FINANZAMT", "FINANZKASSE", "HMRC", "HM REVENUE", "IRS TREAS", "US TREASURY", "REVENUE COMMISSIONERS", "DGFIP",
		"BELASTINGDIENST", "AGENCIA TRIBUTARIA", "AGENZIA DELLE ENTRATE", "SKATTEVERKET", "URZĄD SKARBOWY", "URZAD SKARBOWY",
	}
	givenBackWords = wordSet(`
	REFUND REFUNDS REFUNDED REPAYMENT RETURN RETURNED RELEASE RELEASED REBATE ERSTATTUNG RÜCKERSTATTUNG
	RUECKERSTATTUNG RÜCKZAHLUNG RUECKZAHLUNG REMBOURSEMENT RBT RESTITUTION DEVOLUCIÓN DEVOLUCION REEMBOLSO
	RIMBORSO RESTITUZIONE DEVOLUÇÃO TERUGBETALING TERUGGAAF RESTITUTIE ÅTERBETALNING TILBAGEBETALING REFUSJON
	PALAUTUS ZWROT VRÁCENÍ GRĄŽINIMAS TAGASTUS`)
	insuranceWords = wordSet(`
	INSURANCE INSURER INSURERS INSURANCES VERSICHERUNG VERSICHERUNGS VERSICHERUNGEN ASSURANCE ASSURANCES SEGURO
	SEGUROS ASSICURAZIONI ASSICURAZIONE VERZEKERING VERZEKERINGEN FÖRSÄKRING FORSIKRING UBEZPIECZENIA
	POJIŠŤOVNA`)
	payoutWords = wordSet(`
	CLAIM PAYOUT SETTLEMENT INDEMNITY SCHADEN SCHADENFALL ENTSCHÄDIGUNG ENTSCHAEDIGUNG LEISTUNG SINISTRE
	INDEMNISATION INDEMNITÉ INDEMNITE SINIESTRO INDEMNIZACIÓN INDEMNIZACION SINISTRO INDENNIZZO SCHADE
	UITKERING SKADA SKADE ODSZKODOWANIE`)
	payoutCompounds = []string{
		"VERSICHERUNGSLEISTUNG", "SCHADENREGULIERUNG", "SCHADENZAHLUNG", "SCHADENSZAHLUNG", "SCHADEUITKERING",
	}
	depositWords = wordSet(`
	DEPOSIT KAUTION MIETKAUTION CAUTION FIANZA CAUZIONE CAUÇÃO WAARBORG WAARBORGSOM BORGSOM DEPOSITION
	DEPOSITUM KAUCJA KAUCE`)
	depositCompounds = []string{
		"KAUTIONSRÜCKZAHLUNG", "KAUTIONSRUECKZAHLUNG", "KAUTIONSERSTATTUNG", "KAUTIONSRÜCKERSTATTUNG",
	}
)

// CategoryOf returns the category of money in that comes once, as its text says:
// ownbooks.TaxRefund, InsurancePayout or ReturnedDeposit. It returns "" for all other lines.
func CategoryOf(l bank.Line) string {
	if l.Minor <= 0 {
		return ""
	}
	t := evidenceText{words: words(l.Counterparty + " " + l.Description)}
	all := strings.Fields(t.words)
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(all, func(word string) bool { return set[word] })
	}
	isGivenBack := has(givenBackWords)
	switch {
	case isGivenBack && (has(depositWords) || t.has("DÉPÔT DE GARANTIE") || t.has("DEPOT DE GARANTIE")),
		t.hasAny(depositCompounds):
		return ownbooks.ReturnedDeposit
	case isGivenBack && has(taxWords), t.hasAny(taxCompounds), t.hasAny(taxOffices):
		return ownbooks.TaxRefund
	case has(insuranceWords) && has(payoutWords), t.hasAny(payoutCompounds):
		return ownbooks.InsurancePayout
	}
	return ""
}
