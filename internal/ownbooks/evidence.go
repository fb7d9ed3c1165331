package ownbooks

// Evidence says why a transaction is money between own accounts, or of investors and lenders.
type Evidence struct {
	Code    EvidenceCode
	Account string // other account, as the page Books names it; "" if that isn't known
}

// EvidenceCode is a kind of Evidence, as the API names it (docs/api.md, Facts).
type EvidenceCode string

// Values of EvidenceCode.
const (
	ByRule          EvidenceCode = "rule"
	ByAccountNumber EvidenceCode = "account_number"
	ByBankCode      EvidenceCode = "bank_code"
	ByText          EvidenceCode = "text"
	BySameID        EvidenceCode = "same_id"
	ByConversion    EvidenceCode = "conversion"
	ByCompanyName   EvidenceCode = "company_name"
	ByAnswer        EvidenceCode = "answer"
	ByQuestion      EvidenceCode = "question" // assumed until the user answers
)

// Sentence says for people what the evidence is. It returns "" for codes that it doesn't know.
func (e Evidence) Sentence() string {
	account := e.Account
	if account == "" {
		account = "another account of yours"
	}
	switch e.Code {
	case ByRule:
		return "One of your rules says so."
	case ByAccountNumber:
		return "The text has the number of " + account + "."
	case ByBankCode:
		return "The bank's code is that of transfers between own accounts."
	case ByText:
		return "The text names " + account + " or its bank."
	case BySameID:
		return "The provider gave this line and one of " + account + " the same id."
	case ByConversion:
		return "The text is about a conversion, or another balance at the same provider."
	case ByCompanyName:
		return "The other party has the company's own name."
	case ByAnswer:
		return "You said so in an answer."
	case ByQuestion:
		return "Assumed until you answer the question about it."
	}
	return ""
}
