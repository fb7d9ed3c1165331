package ofx

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"tarmac/service/statements/bank"
)

// decoder converts the bytes of values to UTF-8. Headers often name the wrong charset, and some
// files mix two of them. So a value that is valid UTF-8 is read as UTF-8. The charset of the header
// is used for other values, and always if it is a multibyte charset.
type decoder struct {
	declared  encoding.Encoding
	multibyte bool
}

// charsets maps charset names in OFX headers to those of the WHATWG standard.
var charsets = map[string]string{
	"932": "shift_jis", "936": "gbk", "949": "euc-kr", "950": "big5",
}

// declarations match the charset in the headers of OFX 1 and of XML, the most common form first.
// Some banks write the header of OFX 1 without line breaks or as tags.
var declarations = []*regexp.Regexp{
	regexp.MustCompile(`(?i)CHARSET[:>]\s*([\w-]+?)(?:COMPRESSION|[^\w-]|$)`),
	regexp.MustCompile(`ENCODING[:>]\s*([\w-]+?)(?:CHARSET|[^\w-]|$)`),
	regexp.MustCompile(`encoding\s*=\s*["']([\w-]+)["']`),
}

// newDecoder returns the decoder for a file that begins with head.
func newDecoder(head []byte) decoder {
	if at := bytes.Index(head, []byte("STMTRS")); at >= 0 {
		head = head[:at]
	}
	for _, declaration := range declarations {
		found := declaration.FindSubmatch(head)
		if found == nil {
			continue
		}
		if d, ok := charset(strings.ToLower(string(found[1]))); ok {
			return d
		}
	}
	return decoder{declared: charmap.Windows1252}
}

// charset returns the decoder for a charset name. It returns false for UTF-8, ASCII and unknown
// names.
func charset(name string) (decoder, bool) {
	for _, candidate := range []string{charsets[name], name, "windows-" + name, "iso-" + name} {
		found, err := htmlindex.Get(candidate)
		if err != nil {
			continue
		}
		switch canonical, _ := htmlindex.Name(found); canonical {
		case "utf-8", "utf-16be", "utf-16le", "replacement", "x-user-defined":
			return decoder{}, false
		}
		_, single := found.(*charmap.Charmap)
		return decoder{declared: found, multibyte: !single}, true
	}
	return decoder{}, false
}

// decode returns a value in valid UTF-8, with unresolved entities.
func (d decoder) decode(value []byte) string {
	if isASCII(value) || !d.multibyte && utf8.Valid(value) {
		return string(value)
	}
	if text, err := d.declared.NewDecoder().Bytes(value); err == nil && (d.multibyte || utf8.Valid(text)) {
		return strings.ToValidUTF8(string(text), "\uFFFD")
	}
	return strings.ToValidUTF8(string(value), "\uFFFD")
}

// plain returns a value with its entities resolved.
func (d decoder) plain(value []byte) string {
	text := d.decode(value)
	if strings.Contains(text, "&") {
		text = html.UnescapeString(text)
	}
	return text
}

// line returns a value cleaned by bank.Text.
func (d decoder) line(value []byte) string {
	return bank.Text(d.plain(value))
}

func isASCII(value []byte) bool {
	for _, c := range value {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
