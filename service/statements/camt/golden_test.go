package camt_test

import (
	"flag"
	"fmt"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/camt"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, camt.Format(), bank.Options{}, *update)
}

func TestFilesOfRealBanksAreReadAsOthersReadThem(t *testing.T) {
	banks.Suites(t, camt.Format(), "camt", nil, nil)
}

// large returns a statement with many entries.
func large(entries int) *banks.Stream {
	return &banks.Stream{
		Start: head + account, Count: entries, End: tail,
		Record: func(number int) string {
			return fmt.Sprintf("      <Ntry>\n        <NtryRef>%d</NtryRef>\n        <Amt Ccy=\"EUR\">%d.%02d</Amt>\n"+
				"        <CdtDbtInd>DBIT</CdtDbtInd>\n        <Sts><Cd>BOOK</Cd></Sts>\n"+
				"        <BookgDt><Dt>2026-09-%02d</Dt></BookgDt>\n        <ValDt><Dt>2026-09-%02d</Dt></ValDt>\n"+
				"        <AcctSvcrRef>2026%08d</AcctSvcrRef>\n        <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd>"+
				"<SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>\n        <NtryDtls><TxDtls>\n"+
				"          <Refs><EndToEndId>E2E-%d</EndToEndId></Refs>\n          <RltdPties><Cdtr><Pty><Nm>Lager &amp; Söhne %d"+
				"</Nm></Pty></Cdtr><CdtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></CdtrAcct></RltdPties>\n"+
				"          <RmtInf><Ustrd>Rechnung %d</Ustrd></RmtInf>\n        </TxDtls></NtryDtls>\n      </Ntry>\n",
				number, number%1000, number%100, number%30+1, number%30+1, number, number, number%50, number)
		},
	}
}

func TestALargeFileIsReadInLittleMemory(t *testing.T) {
	banks.Bounded(t, camt.Format(), large(100_000), bank.Options{})
}

func BenchmarkRead(b *testing.B) {
	banks.Benchmark(b, camt.Format(), large(10_000), bank.Options{})
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, camt.Format(), bank.Options{}, head+account+entry("5", "CRDT", "")+tail, "<a:BkToCstmrStmt><Stmt/>")
}
