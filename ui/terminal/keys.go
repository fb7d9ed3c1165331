package terminal

import (
	"bytes"
	"io"
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// readSize is the number of bytes of a remote terminal that are read at once.
const readSize = 1 << 10

// forwardInput decodes the input of a remote terminal and passes it to send until the input
// ends.
func forwardInput(g guarded, in io.Reader, send func(uv.Event)) {
	chunks := make(chan []byte)
	go func() {
		defer close(chunks)
		defer g.catch()
		readChunks(g, &inputFilter{in: in, now: time.Now}, chunks)
	}()
	defer g.catch()
	var k keys
	expiry := time.NewTimer(sequenceTimeout)
	for open := true; open; {
		var events []uv.Event
		select {
		case chunk, more := <-chunks:
			open = more
			events = k.decode(chunk, !open)
		case <-expiry.C:
			events = k.decode(nil, true)
		}
		if len(k.rest) > 0 {
			expiry.Reset(sequenceTimeout)
		}
		for _, event := range events {
			send(event)
		}
	}
}

// readChunks passes on what is read until the input or the session ends.
func readChunks(g guarded, in io.Reader, chunks chan<- []byte) {
	buffer := make([]byte, readSize)
	for {
		n, err := in.Read(buffer)
		if n > 0 {
			select {
			case chunks <- bytes.Clone(buffer[:n]):
			case <-g.ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// keys decodes input that has passed an inputFilter. The zero value is ready.
type keys struct {
	decoder uv.EventDecoder
	rest    []byte // the beginning of a sequence, or of the end of a paste
	pasting bool
	paste   []byte
}

// decode returns the events of the input that has arrived. What may be the beginning of a sequence
// is kept for the next call, unless it has expired because nothing else came.
func (k *keys) decode(arrived []byte, expired bool) (events []uv.Event) {
	k.rest = append(k.rest, arrived...)
	for len(k.rest) > 0 {
		if k.pasting {
			event := k.endPaste()
			if event == nil {
				break
			}
			events = append(events, event)
			continue
		}
		n, event := k.decoder.Decode(k.rest)
		_, unknown := event.(uv.UnknownEvent)
		if !expired && (unknown || k.rest[0] == escapeByte && n <= 2) {
			break
		}
		k.rest = k.rest[n:]
		switch event := event.(type) {
		case uv.PasteStartEvent:
			k.pasting = true
		case uv.MultiEvent:
			events = append(events, event...)
		default:
			events = append(events, event)
		}
	}
	if len(k.rest) == 0 {
		k.rest = nil
	}
	return events
}

// endPaste collects pasted text, and returns it when its end has arrived. The filter lets no other
// escape character into a paste.
func (k *keys) endPaste() uv.Event {
	text, rest, ended := bytes.Cut(k.rest, []byte(pasteEnd))
	if !ended {
		text, _, _ = bytes.Cut(k.rest, []byte{escapeByte})
		rest = k.rest[len(text):]
	}
	k.paste, k.rest = append(k.paste, text...), rest
	if !ended {
		return nil
	}
	event := uv.PasteEvent{Content: strings.ToValidUTF8(string(k.paste), "")}
	k.pasting, k.paste = false, nil
	return event
}
