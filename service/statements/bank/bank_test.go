package bank_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tarmac/service/statements/bank"
)

func TestParseAmount(t *testing.T) {
	for _, test := range []struct {
		text     string
		mark     byte
		currency string
		minor    int64
		err      error
	}{
		{"1234.56", '.', "USD", 123456, nil},
		{"-1,234.56", '.', "USD", -123456, nil},
		{"1.234,56-", ',', "EUR", -123456, nil},
		{"(12.5)", '.', "USD", -1250, nil},
		{"\u22121'234.00", '.', "CHF", -123400, nil},
		{"1 234,5", ',', "EUR", 123450, nil},
		{"212,", ',', "EUR", 21200, nil},
		{".5", '.', "USD", 50, nil},
		{"1500", '.', "JPY", 1500, nil},
		{"1500.00", '.', "JPY", 1500, nil},
		{"-12.3400000000000", '.', "USD", -1234, nil},
		{"1.500", '.', "KWD", 1500, nil},
		{"92233720368547758.07", '.', "USD", 9223372036854775807, nil},
		{"-92233720368547758.08", '.', "USD", -9223372036854775808, nil},
		{"92233720368547758.08", '.', "USD", 0, bank.ErrTooLarge},
		{"12.345", '.', "USD", 0, bank.ErrPrecision},
		{"1.5", '.', "JPY", 0, bank.ErrPrecision},
		{"", '.', "USD", 0, bank.ErrAmount},
		{"-", '.', "USD", 0, bank.ErrAmount},
		{"--1", '.', "USD", 0, bank.ErrAmount},
		{"1.2.3", '.', "USD", 0, bank.ErrAmount},
		{"12,34,567.00", '.', "INR", 123456700, nil},
		{"1.2.3,4", ',', "EUR", 0, bank.ErrAmount},
		{"1,2345.00", '.', "USD", 0, bank.ErrAmount},
		{"12,34.00", '.', "USD", 0, bank.ErrAmount},
		{"1e5", '.', "USD", 0, bank.ErrAmount},
		{"12a", '.', "USD", 0, bank.ErrAmount},
		{strings.Repeat("1", 1000), '.', "USD", 0, bank.ErrAmount},
	} {
		minor, err := bank.ParseAmount(test.text, test.mark, test.currency)

		if minor != test.minor || !errors.Is(err, test.err) {
			t.Errorf("%q (%c, %s) is %d, %v; want %d, %v", test.text, test.mark, test.currency, minor, err,
				test.minor, test.err)
		}
	}
}

func TestLinesEndThreeWays(t *testing.T) {
	lines := bank.NewLines(bank.NewBudget(t.Context()), strings.NewReader("a\r\nb\rc \n\nd"))
	var got []string

	for {
		text, number, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil || number != len(got)+1 {
			t.Fatalf("line %d: %v", number, err)
		}
		got = append(got, text)
	}

	if !slices.Equal(got, []string{"a", "b", "c", "", "d"}) {
		t.Errorf("lines are %q", got)
	}
}

func TestAnEndlessLineIsRefusedWithItsNumber(t *testing.T) {
	lines := bank.NewLines(bank.NewBudget(t.Context()), io.MultiReader(strings.NewReader("first\n"), endless{}))
	if _, _, err := lines.Next(); err != nil {
		t.Fatal(err)
	}

	_, _, err := lines.Next()

	if err == nil || err.Error() != "line 2: longer than 1 MB" {
		t.Errorf("error is %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestDecodeChoosesTheCharset(t *testing.T) {
	for name, test := range map[string]struct{ content, declared string }{
		"byte order mark":          {"\xef\xbb\xbfZürich", "windows-1252"},
		"utf-16":                   {"\xff\xfeZ\x00\xfc\x00r\x00i\x00c\x00h\x00", ""},
		"utf-8":                    {"Zürich", ""},
		"windows-1252":             {"Z\xfcrich", ""},
		"utf-8 wrongly declared":   {"Z\xfcrich", "utf-8"},
		"a charset nobody defines": {"Z\xfcrich", "klingon"},
		"utf-16 without a mark":    {"Z\x00\xfc\x00r\x00i\x00c\x00h\x00", ""},
	} {
		text, err := io.ReadAll(bank.Decode(strings.NewReader(test.content), []byte(test.content), test.declared))

		if err != nil || string(text) != "Zürich" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestDecodeReadsBothCharsetsOfAFileAndKeepsTheRest(t *testing.T) {
	content := strings.Repeat("x", 100_000) + "Z\xfcrich Zürich \x80 € \xc3"
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(content), "byte by byte": iotest.OneByteReader(strings.NewReader(content)),
	} {
		text, err := io.ReadAll(bank.Decode(r, []byte(content[:1000]), ""))

		if want := strings.Repeat("x", 100_000) + "Zürich Zürich € € Ã"; err != nil || string(text) != want {
			t.Errorf("%s: %d bytes ending in %q, %v", name, len(text), text[max(0, len(text)-30):], err)
		}
	}
}
