package invoicepdf_test

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/service/invoicepdf"
	"tarmac/service/invoicing"
)

// tool returns a function that runs a program for PDF files. If the program is not installed
// the test is skipped, or fails if TARMAC_REQUIRE_PDF_TOOLS is set.
func tool(t *testing.T, name, pack string) func(args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("TARMAC_REQUIRE_PDF_TOOLS") == "1" {
		t.Fatalf("%s is not installed; install the package %s", name, pack)
	}
	if err != nil {
		t.Skipf("SKIPPED: %s is not installed; the package %s has it", name, pack)
	}
	return func(args ...string) string {
		t.Helper()
		out, err := exec.Command(path, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
}

// samples writes documents of every kind to files, and returns their paths by name.
func samples(t *testing.T) map[string]string {
	t.Helper()
	scripts := sample(invoicing.Sent, 2)
	scripts.Invoice.RecipientName = "Łukasz Ελλάδα Привет 株式会社"
	scripts.Invoice.Description = "été Ċč (\\) שלום 12 Հայաստան fin"
	files := map[string]string{}
	for name, d := range map[string]invoicepdf.Document{
		"draft": sample(invoicing.Draft, 60), "sent": sample(invoicing.Sent, 5), "overdue": sample(invoicing.Overdue, 3),
		"paid": sample(invoicing.Paid, 100), "void": sample(invoicing.Voided, 1), "longest": longest(), "scripts": scripts,
		"east": eastAsian(),
	} {
		files[name] = filepath.Join(t.TempDir(), name+".pdf")
		if err := os.WriteFile(files[name], render(t, d), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestQpdfFindsNoErrors(t *testing.T) {
	qpdf := tool(t, "qpdf", "qpdf")
	for name, file := range samples(t) {
		if out := qpdf("--check", file); strings.Contains(out, "WARNING") {
			t.Errorf("%s:\n%s", name, out)
		}
	}
}

func TestTextCanBeCopiedOut(t *testing.T) {
	pdftotext := tool(t, "pdftotext", "poppler-utils")
	files := samples(t)
	for name, wants := range map[string][]string{
		"draft":   {"DRAFT", "Line 1 1 $1,234.50 $1,234.50", "Line 60 1 $1,234.50 $1,234.50", "Page 2 of"},
		"paid":    {"Line 100 1 $1,234.50 $1,234.50", "paid on November 20, 2026", "Payments applied -$123,450.00"},
		"void":    {"VOID", "Line 1 1 $1,234.50 $1,234.50", "Total $1,234.50"},
		"scripts": {"Łukasz Ελλάδα Привет 株式会社", "été Ċč (\\)", "Հայաստան fin"},
		"east": {"東京展示会サービス株式会社 Ltd.", "「ハーバー＆パイン株式会社」",
			"上海智能科技有限公司", "주식회사 하늘소프트 2026년 11월",
			"プラットフォーム利用料 Łódź", "上海平台服务费 1 $1,234.50 $1,234.50"},
	} {
		text := strings.Join(strings.Fields(pdftotext("-layout", files[name], "-")), " ")
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not give back %q:\n%s", name, want, text)
			}
		}
	}
}

// box is a word on a page, in points from the top left.
type box struct {
	XMin float64 `xml:"xMin,attr"`
	XMax float64 `xml:"xMax,attr"`
	YMin float64 `xml:"yMin,attr"`
	YMax float64 `xml:"yMax,attr"`
	Word string  `xml:",chardata"`
}

func TestWordsStayOnThePageAndDoNotOverlap(t *testing.T) {
	pdftotext := tool(t, "pdftotext", "poppler-utils")
	for name, file := range samples(t) {
		var read struct {
			Pages []struct {
				Words []box `xml:"word"`
			} `xml:"body>doc>page"`
		}
		out := pdftotext("-bbox", file, "-")
		if err := xml.Unmarshal([]byte(out[strings.Index(out, "<html"):]), &read); err != nil || len(read.Pages) == 0 {
			t.Fatalf("%s: %d pages, %v", name, len(read.Pages), err)
		}
		for n, p := range read.Pages {
			for i, a := range p.Words {
				if a.XMin < 59 || a.XMax > 553 || a.YMin < 40 || a.YMax > 762 {
					t.Errorf("%s, page %d: %+v is in the margin", name, n+1, a)
				}
				for _, b := range p.Words[i+1:] {
					if min(a.XMax, b.XMax)-max(a.XMin, b.XMin) > 0.5 && min(a.YMax, b.YMax)-max(a.YMin, b.YMin) > 2 {
						t.Errorf("%s, page %d: %+v lies on %+v", name, n+1, a, b)
					}
				}
			}
		}
	}
}

func TestPagesCanBeRasterized(t *testing.T) {
	pdftoppm := tool(t, "pdftoppm", "poppler-utils")
	for name, file := range samples(t) {
		root := strings.TrimSuffix(file, ".pdf")
		if out := pdftoppm("-r", "20", "-gray", file, root); out != "" {
			t.Errorf("%s: %s", name, out)
		}
		drawn, err := filepath.Glob(root + "-*.pgm")
		if err != nil || len(drawn) == 0 {
			t.Errorf("%s: %d pages drawn, %v", name, len(drawn), err)
		}
	}
}
