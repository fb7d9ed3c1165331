package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"testing"
	"time"
)

var (
	packed = []file{
		{name: "tarmac", program: true, content: []byte("program")},
		{name: "README.md", content: []byte("read me")},
		{name: "man/tarmac.1", content: []byte(".TH")},
	}
	someday = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
)

// entry holds the properties of an unpacked file that could differ between machines.
type entry struct {
	name    string
	mode    int64
	date    time.Time
	owner   string
	content string
}

func TestArchivesSayNothingOfWhoMadeThem(t *testing.T) {
	want := []entry{
		{"t/README.md", 0o644, someday, "0:0", "read me"},
		{"t/man/tarmac.1", 0o644, someday, "0:0", ".TH"},
		{"t/tarmac", 0o755, someday, "0:0", "program"},
	}
	for system, unpack := range map[string]func(testing.TB, []byte) []entry{"linux": untar, "windows": unzip} {
		p := platform{system, "amd64"}
		archive, err := pack(p, "t", packed, someday)
		if err != nil {
			t.Fatal(err)
		}
		if got := unpack(t, archive); !slices.Equal(got, want) {
			t.Errorf("%s: it holds\n%v, want\n%v", system, got, want)
		}
		shuffled := []file{packed[2], packed[0], packed[1]}
		elsewhere := someday.In(time.FixedZone("elsewhere", 45*60))
		again, err := pack(p, "t", shuffled, elsewhere)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(archive, again) {
			t.Errorf("%s: another order and time zone give other bytes", system)
		}
	}
}

func untar(t testing.TB, archive []byte) []entry {
	t.Helper()
	compressed, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	if compressed.Name != "" || !compressed.ModTime.IsZero() {
		t.Errorf("gzip says %q of %v", compressed.Name, compressed.ModTime)
	}
	var entries []entry
	for r := tar.NewReader(compressed); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return entries
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		owner := "0:0"
		if header.Uid != 0 || header.Gid != 0 || header.Uname != "" || header.Gname != "" {
			owner = "somebody"
		}
		entries = append(entries, entry{header.Name, header.Mode, header.ModTime.UTC(), owner, string(content)})
	}
}

func unzip(t testing.TB, archive []byte) []entry {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var entries []entry
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, entry{f.Name, int64(f.Mode().Perm()), f.Modified.UTC(), "0:0", string(content)})
	}
	return entries
}
