package bookkeeping_test

import (
	"fmt"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
)

// year returns a statement with that many lines over a year.
func year(lines int) statement {
	s := statement{account: september.account, first: "2025-01-01", last: "2025-12-31"}
	first := civil.New(2025, 1, 1)
	for n := range lines {
		s.lines = append(s.lines, line{
			first.AddDays(n * 365 / lines).String(), fmt.Sprintf("-%d.%02d", 5+n%997, n%100), fmt.Sprint(n),
			fmt.Sprintf("CARD PURCHASE STORE %05d SEATTLE WA", n%5000),
		})
	}
	return s
}

func BenchmarkImport(b *testing.B) {
	const lines = 100_000
	content := year(lines).ofx()
	for b.Loop() {
		books := newBooks(b)
		take(b, books, source("a.qfx", content))
	}
	b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkImportAgain(b *testing.B) {
	books := newBooks(b)
	content := year(100_000).ofx()
	take(b, books, source("a.qfx", content))
	for b.Loop() {
		take(b, books, source("a.qfx", content))
	}
}

// readingOf returns a reading of the lines of a year.
func readingOf(lines int) reading {
	s := year(lines)
	r := reading{from: s.first, to: s.last}
	for _, l := range s.lines {
		r.lines = append(r.lines, feedLine{Date: l.day, Amount: l.amount, ID: l.id, Description: l.name})
	}
	return r
}

// BenchmarkReading imports the first reading of a connection.
func BenchmarkReading(b *testing.B) {
	source := feedSource(readingOf(10_000))
	for b.Loop() {
		books := newBooks(b)
		if _, err := books.Import(b.Context(), source, bookkeeping.Options{Feed: &mercury}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadingAgain imports readings of 10,000 lines in which one line changes each time.
func BenchmarkReadingAgain(b *testing.B) {
	books := newBooks(b)
	r := readingOf(10_000)
	sync(b, books, mercury, r)
	for n := 0; b.Loop(); n++ {
		r.lines[5000].Description = fmt.Sprint("Changed ", n)
		sync(b, books, mercury, r)
	}
}
