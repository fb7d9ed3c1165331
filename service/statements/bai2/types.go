package bai2

// method returns the name of a transaction type, or the code if it has no name here.
func method(code string) string {
	if name := types[code]; name != "" {
		return name
	}
	return "BAI " + code
}

// transfer reports whether a transaction type is a transfer between own accounts. These are the
// types of zero balance accounts, whose money is moved to another account each day.
func transfer(code string) bool {
	switch code {
	case "275", "277", "575", "577":
		return true
	}
	return false
}

// types maps the codes of common transaction types to their names.
var types = map[string]string{
	"108": "Credit", "115": "Lockbox deposit", "116": "Item in lockbox deposit", "142": "ACH credit",
	"143": "Item in ACH deposit", "145": "ACH concentration credit", "155": "Preauthorized draft credit",
	"164": "Corporate trade payment credit", "165": "Preauthorized ACH credit", "166": "ACH settlement",
	"169": "Miscellaneous ACH credit", "172": "Deposit correction", "174": "Other deposit", "175": "Check deposit package",
	"184": "Draft deposit", "187": "Cash letter credit", "191": "Incoming internal money transfer",
	"195": "Incoming money transfer", "201": "Automatic transfer credit", "206": "Book transfer credit",
	"208": "International money transfer credit", "214": "Foreign exchange credit", "252": "Debit reversal",
	"254": "Posting error correction credit", "255": "Check posted and returned", "257": "ACH return item",
	"266": "Return item", "275": "Zero balance account credit", "277": "Zero balance account credit transfer",
	"295": "ATM credit", "301": "Commercial deposit", "354": "Interest credit", "357": "Credit adjustment",
	"395": "Check reversal", "398": "Miscellaneous fee refund", "399": "Miscellaneous credit",
	"409": "Debit", "445": "ACH concentration debit", "447": "ACH disbursement funding debit", "451": "ACH debit",
	"452": "Item in ACH disbursement", "455": "Preauthorized ACH debit", "462": "Account holder initiated ACH debit",
	"464": "Corporate trade payment debit", "466": "ACH settlement", "469": "Miscellaneous ACH debit", "475": "Check paid",
	"481": "Loan payment", "484": "Draft", "487": "Cash letter debit", "491": "Outgoing internal money transfer",
	"495": "Outgoing money transfer", "501": "Automatic transfer debit", "506": "Book transfer debit",
	"508": "International money transfer debit", "514": "Foreign exchange debit", "552": "Credit reversal",
	"554": "Posting error correction debit", "555": "Deposited item returned", "557": "ACH return item",
	"561": "Rejected debit", "575": "Zero balance account debit", "577": "Zero balance account debit transfer",
	"595": "ATM debit", "654": "Interest debit", "698": "Miscellaneous fees", "699": "Miscellaneous debit",
}
