package cli_test

import (
	"testing"
	"time"

	"tarmac/internal/money"
)

// BenchmarkIdle measures the resource use of an idle dashboard, for one second per iteration.
func BenchmarkIdle(b *testing.B) {
	start, _ := benchDashboard(b)
	term := start()
	term.until("● live", fullOverview)
	process := &built{cmd: term.cmd}
	time.Sleep(time.Second) // wait for the start to finish
	cpu, sent, began := process.cpu(b), len(term.output()), time.Now()
	for b.Loop() {
		time.Sleep(time.Second)
	}
	b.ReportMetric(100*(process.cpu(b)-cpu).Seconds()/time.Since(began).Seconds(), "%-cpu")
	b.ReportMetric(float64(len(term.output())-sent)/float64(b.N), "B/s")
}

// BenchmarkHeld measures a key that repeats sixty times a second: its processor time and the
// delay of the last row.
func BenchmarkHeld(b *testing.B) {
	start, rows := benchDashboard(b)
	term := start()
	term.until("● live")
	term.press("4")
	term.until("row 1 of " + money.Count(int64(rows)))
	process := &built{cmd: term.cmd}
	cpu, began, row := process.cpu(b), time.Now(), 1
	clock := time.NewTicker(time.Second / 60)
	defer clock.Stop()
	for b.Loop() {
		<-clock.C
		if row < rows {
			term.press("j")
			row++
		}
	}
	last := time.Now()
	term.until("row " + money.Count(int64(row)) + " of")
	b.ReportMetric(float64(time.Since(last).Microseconds())/1000, "ms-late")
	b.ReportMetric(100*(process.cpu(b)-cpu).Seconds()/time.Since(began).Seconds(), "%-cpu")
}

// BenchmarkPages measures a page down, and the peak resident memory after all pages.
func BenchmarkPages(b *testing.B) {
	start, rows := benchDashboard(b)
	term := start()
	term.until("● live")
	term.press("4")
	term.until("row 1 of " + money.Count(int64(rows)))
	process, row := &built{cmd: term.cmd}, 1
	cpu := process.cpu(b)
	for b.Loop() {
		if row == rows {
			term.press("g")
			term.until("row 1 of")
		}
		at := "row " + money.Count(int64(row)) + " of"
		term.press("\x1b[6~")
		row = position(term.untilGone(at))
	}
	b.ReportMetric(float64((process.cpu(b)-cpu).Microseconds())/float64(b.N), "cpu-µs/op")
	b.ReportMetric(process.peak(b), "MiB-peak")
}
