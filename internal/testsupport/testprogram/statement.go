package testprogram

import (
	"os"
	"path/filepath"
	"testing"
)

// StatementFile writes an OFX file with these transactions and returns its path.
func StatementFile(t testing.TB, name, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	content := "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n" +
		"<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>121000358<ACCTID>00123456789" +
		"<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260901<DTEND>20260930" + lines +
		"</BANKTRANLIST><LEDGERBAL><BALAMT>1000.00<DTASOF>20260930</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// RentLine is a transaction of such a file.
const RentLine = "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260902<TRNAMT>-500.00<FITID>1<NAME>Landlord</STMTTRN>"

// NoBooks returns the environment of a user without own books yet, and the path they will have.
func NoBooks(t testing.TB) (environ map[string]string, database string) {
	t.Helper()
	dir := t.TempDir()
	return map[string]string{"XDG_DATA_HOME": dir}, filepath.Join(dir, "tarmac", "books.db")
}
