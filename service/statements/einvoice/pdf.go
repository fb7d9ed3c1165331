package einvoice

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"strconv"

	"tarmac/service/statements/bank"
)

// Limits of a PDF.
const (
	maxObjects = 5_000
	maxValues  = 500_000
	mostInside = 64 << 20 // bytes unpacked from all parts
)

// pdf has the objects of a PDF file. It finds them by their numbers in the text of the file, in one
// pass, and ignores the tables of where they are: these are often wrong, and may lead in circles.
type pdf struct {
	budget  *bank.Budget
	content []byte
	lengths map[int]int // objects that are numbers, for lengths of streams
	objects map[int]any // by number; the last one of a number counts
	root    any         // reference to the catalog
	values  int         // values parsed so far
	inside  int         // bytes unpacked so far
}

// stream is an object with content, from the index start of the file.
type stream struct {
	dict
	start   int
	content []byte
}

// openPDF parses the objects of a PDF, with those in object streams.
func openPDF(b *bank.Budget, content []byte) (*pdf, error) {
	p := &pdf{budget: b, content: content, lengths: map[int]int{}, objects: map[int]any{}}
	if bytes.Count(content, []byte(" obj")) > maxObjects {
		return nil, bank.Errorf(0, "is a PDF of more than %d parts, which no invoice has"+instead, maxObjects)
	}
	if err := b.Step(len(content)); err != nil {
		return nil, err
	}
	p.findLengths()
	if err := p.readObjects(); err != nil {
		return nil, err
	}
	if _, ok := p.root.(reference); !ok {
		return nil, errDamaged
	}
	return p, nil
}

// findLengths finds the objects that are numbers. They may follow the streams whose lengths they
// are.
func (p *pdf) findLengths() {
	for at := 0; ; {
		number, start, ok := p.nextObject(at)
		if !ok {
			return
		}
		in := parser{text: p.content[start:]}
		in.blanks()
		if length, err := strconv.Atoi(string(in.word())); err == nil {
			p.lengths[number] = length
		}
		at = start
	}
}

// nextObject finds the next "7 0 obj" and returns the object's number and where its value starts.
func (p *pdf) nextObject(at int) (number, start int, ok bool) {
	for {
		found := bytes.Index(p.content[at:], []byte(" obj"))
		if found < 0 {
			return 0, 0, false
		}
		end := at + found
		at = end + len(" obj")
		head := p.content[max(0, end-20):end]
		head = bytes.TrimRight(bytes.TrimRight(head, "0123456789"), blanks) // the generation
		digits := head[len(bytes.TrimRight(head, "0123456789")):]
		if number, err := strconv.Atoi(string(digits)); err == nil {
			return number, at, true
		}
	}
}

// readObjects reads the objects and trailers of the file.
func (p *pdf) readObjects() error {
	for at := 0; ; {
		number, start, ok := p.nextObject(at)
		until := len(p.content)
		if ok {
			until = start
		}
		if err := p.readTrailer(p.content[min(at, until):until]); err != nil || !ok {
			return err
		}
		value, end, err := p.object(start)
		if err != nil {
			return err
		}
		if err := p.budget.Step(end - at); err != nil {
			return err
		}
		at = end
		p.objects[number] = value
		of, ok := value.(stream)
		if !ok {
			continue
		}
		switch of.dict["Type"] {
		case name("XRef"):
			err = p.take(of.dict)
		case name("ObjStm"):
			err = p.readInner(of)
		}
		if err != nil {
			return err
		}
	}
}

// readTrailer reads the trailer in the text between two objects, if there is one.
func (p *pdf) readTrailer(text []byte) error {
	_, text, ok := bytes.Cut(text, []byte("trailer"))
	if !ok {
		return nil
	}
	in := parser{text: text, left: maxValues}
	trailer, _ := in.value(0).(dict)
	return p.take(trailer)
}

// take reads the values of a trailer.
func (p *pdf) take(trailer dict) error {
	if trailer["Encrypt"] != nil {
		return errEncrypted
	}
	if root := trailer["Root"]; root != nil {
		p.root = root
	}
	return nil
}

// object parses the object that starts at an index, and returns the index after it.
func (p *pdf) object(start int) (value any, end int, err error) {
	in := parser{text: p.content[start:], left: maxValues - p.values}
	value = in.value(0)
	in.blanks()
	if p.values = maxValues - in.left; in.left == 0 {
		return nil, 0, errTooMuch
	}
	of, ok := value.(dict)
	if !ok || !in.skip("stream") {
		return value, len(p.content) - len(in.text), nil
	}
	if !in.skip("\r\n") {
		in.skip("\n")
	}
	start = len(p.content) - len(in.text)
	length, ok := of["Length"].(int)
	if at, indirect := of["Length"].(reference); indirect {
		length, ok = p.lengths[int(at)]
	}
	if ok && length >= 0 && length <= len(in.text) {
		after := parser{text: in.text[length:]}
		if after.blanks(); after.skip("endstream") {
			return stream{of, start, in.text[:length]}, start + length, nil
		}
	}
	content, _, ok := bytes.Cut(in.text, []byte("endstream"))
	if !ok {
		return nil, 0, errDamaged
	}
	return stream{of, start, content}, start + len(content), nil
}

// readInner reads the objects in an object stream: their numbers and places come first.
func (p *pdf) readInner(of stream) error {
	content, err := p.unpack(of)
	if err != nil {
		return err
	}
	count, _ := of.dict["N"].(int)
	first, _ := of.dict["First"].(int)
	if count > maxObjects || len(p.objects) > maxObjects {
		return errTooMuch
	}
	if count < 0 || first < 0 || first > len(content) {
		return errDamaged
	}
	in := parser{text: content[:first], left: maxValues}
	unread := 2 * len(content) // objects don't overlap, except in damaged and hostile files
	for range count {
		number, _ := in.value(0).(int)
		at, ok := in.value(0).(int)
		if !ok || at < 0 || at > len(content)-first {
			return errDamaged
		}
		one := parser{text: content[first+at:], left: maxValues - p.values}
		p.objects[number] = one.value(0)
		if p.values = maxValues - one.left; one.left == 0 {
			return errTooMuch
		}
		size := len(content) - first - at - len(one.text)
		if unread -= size; unread < 0 {
			return errTooMuch
		}
		if err := p.budget.Step(size); err != nil {
			return err
		}
	}
	return nil
}

// unpack returns the content of a stream, which may be packed by Flate.
func (p *pdf) unpack(of stream) ([]byte, error) {
	filters := p.array(of.dict["Filter"])
	if one, ok := p.resolve(of.dict["Filter"]).(name); ok {
		filters = []any{one}
	}
	var in io.Reader = bytes.NewReader(of.content)
	for _, filter := range filters {
		if filter = p.resolve(filter); filter != name("FlateDecode") && filter != name("Fl") || len(filters) > 1 {
			return nil, bank.Errorf(0, "is a PDF whose attached invoice is packed in an unusual way: get the invoice as XML")
		}
		// Some programs write wrong checksums, so that of zlib is ignored, with its header.
		_, _ = io.CopyN(io.Discard, in, 2)
		in = flate.NewReader(in)
	}
	content, err := io.ReadAll(io.LimitReader(p.budget.Unpacked(in), MaxSize+1))
	var corrupt flate.CorruptInputError
	switch {
	case errors.As(err, &corrupt), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errDamaged
	case err != nil:
		return nil, err
	}
	if p.inside += len(content); len(content) > MaxSize || p.inside > mostInside {
		return nil, errTooMuch
	}
	return content, nil
}

// resolve returns the object that a value refers to, or other values as they are.
func (p *pdf) resolve(value any) any {
	if number, ok := value.(reference); ok {
		return p.objects[int(number)]
	}
	return value
}

func (p *pdf) dict(value any) dict {
	found, _ := p.resolve(value).(dict)
	return found
}

func (p *pdf) array(value any) []any {
	found, _ := p.resolve(value).([]any)
	return found
}
