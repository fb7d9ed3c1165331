package jsonlines_test

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/jsonlines"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, jsonlines.Format(), bank.Options{}, *update)
}

func read(text string, options bank.Options) (*banks.Contents, error) {
	return banks.Read(jsonlines.Format(), strings.NewReader(text), options)
}

// line returns a transaction with the given fields in place of, or beside, the usual ones.
func line(fields string) string {
	for _, usual := range []string{`"amount":"1.00"`, `"date":"2026-09-30"`, `"currency":"USD"`} {
		name, _, _ := strings.Cut(usual, ":")
		if outer, _, _ := strings.Cut(fields, "{"); !strings.Contains(outer, name) {
			fields = usual + "," + fields
		}
	}
	return `{` + fields + `}`
}

func TestAmountsAreReadFromTheirOwnDigits(t *testing.T) {
	for text, want := range map[string]int64{
		`"-1250.50"`: -125050, `-1250.50`: -125050, `0.1`: 10, `"+3"`: 300, `92233720368547758.07`: 9223372036854775807,
		`1.10000000000000000000`: 110, `-0`: 0, `".5"`: 50,
	} {
		found, err := read(line(`"amount":`+text), bank.Options{})

		if err != nil || found.Statements[0].Lines[0].Minor != want {
			t.Errorf("%s: %v; want %d", text, err, want)
		}
	}
}

func TestWrongValuesAreRefusedWithLineAndField(t *testing.T) {
	const number, date = "must be a number such as -1234.50, not ", "must be a day such as 2026-09-30, not "
	for text, want := range map[string]string{
		`"amount":1e2`:                    `"amount" ` + number + `"1e2"`,
		`"amount":"1,250.00"`:             `"amount" ` + number + `"\"1,250.00\""`,
		`"amount":true`:                   `"amount" ` + number + `"true"`,
		`"amount":"5."`:                   `"amount" ` + number + `"\"5.\""`,
		`"amount":1.005`:                  `"amount" has more decimals than its currency: "1.005" in USD`,
		`"date":"2026-02-30"`:             `"date" ` + date + `"2026-02-30"`,
		`"date":"0001-01-01"`:             `"date" ` + date + `"0001-01-01"`,
		`"date":"2026-09-30T10:00:00Z"`:   `"date" ` + date + `"2026-09-30T10:00:00Z"`,
		`"date":20260930`:                 `"date" must be a text in quotes, not "20260930"`,
		`"currency":"USDC"`:               `"currency" must be a currency of ISO 4217, not "USDC"`,
		`"id":17`:                         `"id" must be a text in quotes, not "17"`,
		`"id":["a"]`:                      `"id" must be a text in quotes, not "[\"a\"]"`,
		`"pending":"yes"`:                 `"pending" must be true or false, not "\"yes\""`,
		`"original":7`:                    `"original" must be a JSON object, not "7"`,
		`"amount":1,"original":{"a":1}`:   `"original.currency" is missing`,
		`"original":{"currency":"EUR"}`:   `"original.amount" is missing`,
		`"amount":1,"amount":2`:           `"amount" is there twice`,
		`"description":"a","balance":"b"`: `"balance" ` + number + `"\"b\""`,
	} {
		_, err := read("\n\n"+line(text), bank.Options{})

		if want = `line 3: the field ` + want; err == nil || err.Error() != want {
			t.Errorf("%s:\n  got  %v\n  want %s", text, err, want)
		}
	}
}

func TestWrongAccountsAndInvoicesAreRefused(t *testing.T) {
	const account = `{"account":"1","currency":"USD",`
	for text, want := range map[string]string{
		`{"account":"","currency":"USD"}`: `"account" must not be empty`,
		account + `"kind":"loan"}`:        `"kind" must be checking, savings, card or investment, not "loan"`,
		account + `"from":"2026-09-30"}`: `"from" must be a day that is not after that in the field "to", ` +
			`and both are needed`,
		account + `"opening":1}`:                  `"opening" needs the first day of the statement, in the field "from"`,
		account + `"closing":1}`:                  `"closing_date" is missing`,
		`{"invoice":"7","currency":"USD"}`:        `"amount" is missing`,
		`{"source":"stripe","as_of":"yesterday"}`: `"as_of" must be a day such as 2026-09-30, not "yesterday"`,
	} {
		_, err := read(text, bank.Options{})

		if want = `line 1: the field ` + want; err == nil || err.Error() != want {
			t.Errorf("%s:\n  got  %v\n  want %s", text, err, want)
		}
	}
}

func TestLinesThatAreNoWholeObjectAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       `contains no lines`,
		`{"date":null,"amount":1}`:               `line 1: does not say its currency`,
		`{"date":"2026-09-30","currency":"USD"}`: `line 1: has no field "amount", which each transaction needs`,
		`{"amount":1,"currency":"USD"}`:          `line 1: has no field "date", which each transaction needs`,
		`{"colour":"red"}`:                       `line 1: has none of the fields date, account, invoice, bill and source`,
		`[{"date":"2026-09-30"}]`:                `line 1: is no JSON object`,
		`{"date":"2026-09-30"`:                   `line 1: ends within its JSON object`,
		`{"date":"2026-09-30"} {}`:               `line 1: has more than one JSON object`,
		`{"date":"2026-09-30",}`:                 `line 1: is not JSON: invalid character '}'`,
	} {
		_, err := read(text, bank.Options{})

		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\n  got  %v\n  want %s", text, err, want)
		}
	}
}

func TestAnOpeningBalanceOfAnotherDayIsRefused(t *testing.T) {
	_, err := read(`{"account":"1","currency":"USD","from":"2026-09-02","to":"2026-09-30","opening":1,`+
		`"opening_date":"2026-08-31"}`, bank.Options{})

	if err == nil || err.Error() != `line 1: the field "opening_date" must be the day before that in the field "from"` {
		t.Errorf("error is %v", err)
	}
}

func TestWhatAFileDoesNotSayIsAsked(t *testing.T) {
	for text, flag := range map[string]string{
		`{"date":"2026-09-30","amount":"1"}`:            "--currency",
		`{"account":"6789"}`:                            "--currency",
		`{"invoice":"7","currency":"USD","amount":"1"}`: "--as-of",
		`{"source":"stripe"}`:                           "--as-of",
	} {
		_, err := read(text, bank.Options{})

		if question, ok := err.(*bank.Question); !ok || question.Flag != flag {
			t.Errorf("%s: %v; want a question about %s", text, err, flag)
		}
	}
}

func TestOptionsSayWhatAFileDoesNot(t *testing.T) {
	options := bank.Options{Account: "6789", Currency: "EUR", AsOf: civil.New(2026, 9, 30)}

	found, err := read(`{"date":"2026-09-30","amount":"1"}`+"\n"+`{"invoice":"7","amount":"2"}`, options)

	if err != nil {
		t.Fatal(err)
	}
	s := found.Statements[0]
	if s.Account.Number != "6789" || s.Currency != "EUR" || found.Lists[0].AsOf != options.AsOf ||
		found.OpenItems[0].Currency != "EUR" {
		t.Errorf("found %+v, %+v, %+v", s.Statement, found.Lists[0], found.OpenItems)
	}
}

func TestUnknownFieldsAreNamedOnce(t *testing.T) {
	text := line(`"a":1`) + "\n" + line(`"b":1,"original":{"currency":"EUR","amount":1,"c":1}`) + "\n" +
		line(`"d":1,"e":1,"f":1,"a":1`)

	found, err := read(text, bank.Options{})

	want := `line 1: fields that are not known and not read: "a", "b", "d", "e", "original.c" and others`
	if err != nil || len(found.Problems) != 1 || found.Problems[0] != want {
		t.Errorf("%v; problems are %q", err, found.Problems)
	}
}

func TestAnEmptyListOfInvoicesIsAList(t *testing.T) {
	found, err := read(`{"source":"stripe","as_of":"2026-11-23"}`, bank.Options{})

	if err != nil || len(found.Lists) != 1 || found.Lists[0].Source != "stripe" || len(found.OpenItems) > 0 {
		t.Errorf("%v; lists are %+v", err, found.Lists)
	}
}

func TestBillsAreOfTheirSide(t *testing.T) {
	options := bank.Options{AsOf: civil.New(2026, 9, 30)}
	for text, want := range map[string]string{
		`{"bill":"7","vendor":"Harbor Print","due":"2026-10-01","currency":"USD","amount":"12.50"}`:                  "",
		`{"source":"erp","as_of":"2026-10-01","side":"payable"}` + "\n" + `{"bill":"7","currency":"USD","amount":1}`: "",
		`{"source":"erp","as_of":"2026-10-01"}` + "\n" + `{"bill":"7","currency":"USD","amount":1}`: `line 2: is a bill ` +
			`in a list of invoices; begin another list with "side": "payable"`,
		`{"bill":"7","currency":"USD","amount":1}` + "\n" + `{"invoice":"7","currency":"USD","amount":1}`: `line 2: is an ` +
			`invoice in a list of bills; begin another list with "side": "receivable"`,
		`{"source":"erp","as_of":"2026-10-01","side":"both"}`: `line 1: the field "side" must be ` +
			`receivable or payable, not "both"`,
	} {
		found, err := read(text, options)

		if want == "" && (err != nil || found.Lists[0].Side != bank.Payable || len(found.OpenItems) != 1) ||
			want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %+v, %v", text, found, err)
		}
	}
	if _, err := read(`{"bill":"7","currency":"USD","amount":1}`, bank.Options{}); err == nil ||
		err.Error() != "line 1: does not say for which day its bills are open; say which with --as-of" {
		t.Errorf("without a day: %v", err)
	}
}

func TestOtherJSONIsNotRecognized(t *testing.T) {
	for _, text := range []string{
		"{", "{}", `{"colour":"red"}`, `[{"date":"2026-09-30"}]`, "{\n  \"date\": \"2026-09-30\"\n}", "17", "null", "",
		`{"date":"` + strings.Repeat("x", bank.HeadSize),
	} {
		if jsonlines.Format().Recognize(bank.NewBudget(t.Context()), []byte(text)) {
			t.Errorf("%.40s is recognized", text)
		}
	}
}

func TestOtherCharsetsAreRead(t *testing.T) {
	text := "\xff\xfe"
	for _, char := range line(`"description":"Zürich"`) {
		text += string([]byte{byte(char), 0})
	}

	found, err := read(text, bank.Options{})

	if err != nil || found.Statements[0].Lines[0].Description != "Zürich" {
		t.Errorf("%v: %+v", err, found)
	}
	if !jsonlines.Format().Recognize(bank.NewBudget(t.Context()), []byte(text)) {
		t.Error("the file is not recognized")
	}
}

// large returns a file with many transactions.
func large(transactions int) *banks.Stream {
	return &banks.Stream{
		Start: `{"account":"6789","currency":"USD"}` + "\n", Count: transactions,
		Record: func(number int) string {
			return fmt.Sprintf(`{"date":"2026-09-30","account":"6789","amount":"-%d.07","id":"%d","counterparty":"HARBORLINE"}`,
				number%100_000, number) + "\n"
		},
	}
}

func TestALargeFileIsReadInLittleMemory(t *testing.T) {
	banks.Bounded(t, jsonlines.Format(), large(400_000), bank.Options{})
}

func BenchmarkRead(b *testing.B) {
	banks.Benchmark(b, jsonlines.Format(), large(10_000), bank.Options{})
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, jsonlines.Format(), bank.Options{AsOf: civil.New(2026, 9, 30)}, line(`"id":"a"`), "{\"\x00\":1}",
		line(`"amount":1e999999999`), `{"account":`+strings.Repeat(`[`, 20_000), line(`"description":"\ud800"`),
		string(bytes.Repeat([]byte(`{"a":`), 5000)))
}
