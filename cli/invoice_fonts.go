package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"tarmac/cli/command"
	"tarmac/service/invoicepdf"
)

// maxInvoiceFonts is the maximum number of fonts, because all of them are kept in memory.
const maxInvoiceFonts = 8

func invoiceFontFlag(flags *pflag.FlagSet, paths *[]string) {
	flags.StringArrayVar(paths, "invoice-font", nil,
		"TrueType font for characters that the built-in fonts lack; repeat for several, in order of preference")
}

// loadInvoiceFonts reads the font files that the flags --invoice-font name.
func loadInvoiceFonts(paths []string) ([]*invoicepdf.Font, error) {
	if len(paths) > maxInvoiceFonts {
		return nil, command.Usagef("--invoice-font can be given %d times at most", maxInvoiceFonts)
	}
	fonts := make([]*invoicepdf.Font, 0, len(paths))
	for _, path := range paths {
		ttf, err := readAtMost(path, invoicepdf.MaxFontSize+1)
		if err != nil {
			return nil, fmt.Errorf("cannot read --invoice-font: %w", err)
		}
		font, err := invoicepdf.ParseFont(ttf)
		if err != nil {
			return nil, fmt.Errorf("--invoice-font %s cannot be used: %w", path, err)
		}
		fonts = append(fonts, font)
	}
	return fonts, nil
}

// readAtMost returns the content of a file, but no more than its first maxBytes bytes.
func readAtMost(path string, maxBytes int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxBytes))
}
