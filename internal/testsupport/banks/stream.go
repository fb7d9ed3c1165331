package banks

import (
	"errors"
	"io"
	"runtime"
	"testing"

	"tarmac/internal/testsupport/long"
	"tarmac/service/statements/bank"
)

// Stream is a file that is generated while it is being read: a beginning, numbered records and an
// end. It can be read again from its start.
type Stream struct {
	Start  string
	Record func(number int) string
	Count  int
	End    string

	next int // number of the next part: 0 is Start, 1 to Count are records, then comes the end
	left string
}

// Read implements io.Reader.
func (s *Stream) Read(p []byte) (int, error) {
	for s.left == "" {
		switch {
		case s.next == 0:
			s.left = s.Start
		case s.next <= s.Count:
			s.left = s.Record(s.next)
		case s.next == s.Count+1:
			s.left = s.End
		default:
			return 0, io.EOF
		}
		s.next++
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}

// Seek returns to the start of the stream. Any other target is an error.
func (s *Stream) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekStart {
		return 0, errors.New("a stream can only be read from its start")
	}
	s.next, s.left = 0, ""
	return 0, nil
}

// Counter is a bank.Sink that counts what it receives and stores nothing else.
type Counter struct {
	Statements, Lines, Items, Rates, Problems int

	// If Sample is not 0, Peak is the maximum size of the heap so far, in bytes, after each so many
	// records.
	Sample int
	Peak   uint64
}

// Statement counts a bank statement.
func (c *Counter) Statement(*bank.Statement) error { c.Statements++; return nil }

// Line counts a line.
func (c *Counter) Line(*bank.Statement, bank.Line) error {
	c.Lines++
	c.sample(c.Lines)
	return nil
}

// OpenList counts nothing.
func (c *Counter) OpenList(*bank.OpenItems) error { return nil }

// OpenItem counts an open invoice.
func (c *Counter) OpenItem(*bank.OpenItems, bank.OpenItem) error {
	c.Items++
	c.sample(c.Items)
	return nil
}

// Rate counts an exchange rate.
func (c *Counter) Rate(bank.Rate) error {
	c.Rates++
	c.sample(c.Rates)
	return nil
}

// Problem counts a warning.
func (c *Counter) Problem(int, string) { c.Problems++ }

// sample updates Peak whenever count is a multiple of Sample.
func (c *Counter) sample(count int) {
	if c.Sample == 0 || count%c.Sample != 0 {
		return
	}
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	c.Peak = max(c.Peak, now.HeapAlloc)
}

// Bounded checks that reading a large file takes little memory. With -short it is skipped. Unless
// long tests are built, the file has a tenth of the records and may take a tenth of the memory.
func Bounded(t *testing.T, format bank.Format, file *Stream, options bank.Options) {
	t.Helper()
	if testing.Short() {
		t.Skip("reads a large file")
	}
	most, every := uint64(20<<20), 20_000
	if !long.Tests {
		file.Count /= 10
		most, every = 2<<20, 2_000
	}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	counter := &Counter{Sample: every}

	if err := format.Read(bank.NewBudget(t.Context()), file, options, counter); err != nil {
		t.Fatal(err)
	}

	if got := counter.Lines + counter.Items + counter.Rates; got != file.Count {
		t.Errorf("%d of %d records are read", got, file.Count)
	}
	t.Logf("the heap grew by %d bytes", int64(counter.Peak)-int64(before.HeapAlloc))
	if counter.Peak > before.HeapAlloc+most {
		t.Errorf("the heap grows by %d bytes", counter.Peak-before.HeapAlloc)
	}
}

// Benchmark reports how fast a reader is, in bytes and records per second.
func Benchmark(b *testing.B, format bank.Format, file *Stream, options bank.Options) {
	size, err := io.Copy(io.Discard, file)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			b.Fatal(err)
		}
		if err := format.Read(bank.NewBudget(b.Context()), file, options, &Counter{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(file.Count)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
