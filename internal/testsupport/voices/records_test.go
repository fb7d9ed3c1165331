package voices_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// compared are the objects of package record whose figures the voices must say alike. The others
// are records of the API, whose amounts nothing can leave out, parts of a compared object, or
// plans, which the tests of each voice compare.
var (
	compared = []string{
		"CashPosition", "Balance", "Aging", "Summary", "MonthSummary", "Counterparty", "BridgePart", "Recurring",
		"ForecastWeek", "Alive", "Customer", "CounterpartyOfMonth", "Payables", "Vendor", "Bill",
	}
	notCompared = []string{
		"Ping", "Account", "Invoice", "Event", "PaymentIntent", "Transaction", "TransactionIn", "Webhook",
		"Delivery", "QueuedTest",
		"AgingBuckets", "OpenInvoice", "Forecast", "NoForecast", "ForecastTest", "DoubtfulInvoice", "Month",
		"RecurringCosts", "Spend", "Plan", "PlanColumn", "PlanLine", "PlanAgainst", "PlanCompared",
		"Days", "Unusual", "Due", // of the digest, which one command alone shows
	}
)

// Whoever adds an object to package record says here whether the voices must agree on it.
func TestEveryObjectOfPackageRecordIsKnown(t *testing.T) {
	const folder = "../../../client/record"
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, name := range append(compared, notCompared...) {
		known[name] = true
	}
	found := 0
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), folder+"/"+entry.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range objectsOf(file) {
			found++
			if !known[name] {
				t.Errorf("record.%s in %s is neither compared nor named as not compared", name, entry.Name())
			}
		}
	}
	if found != len(known) {
		t.Errorf("package record has %d objects, %d are listed", found, len(known))
	}
}

// objectsOf returns the exported functions of a file that return an Object or a list of them from
// something else.
func objectsOf(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil || f.Type.TypeParams != nil ||
			strings.HasPrefix(f.Name.Name, "Append") {
			continue
		}
		result := f.Type.Results.List[0].Type
		if list, ok := result.(*ast.ArrayType); ok {
			result = list.Elt
		}
		if name, ok := result.(*ast.Ident); ok && name.Name == "Object" {
			names = append(names, f.Name.Name)
		}
	}
	return names
}
