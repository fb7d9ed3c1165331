package cli

import (
	"io"
	"slices"
	"strings"

	"tarmac/client/record"
	"tarmac/internal/termtext"
)

// writeLabels writes each field as a line with its label and value. A count is followed by the
// numbers of which it consists. The fields of nested records are written as if they belonged to o.
// Lists of records follow as tables of at most columns cells (0 means no limit).
func writeLabels(w io.Writer, o record.Object, columns int) error {
	flat, lists := labelledFields(o, nil, nil)
	width := 0
	for _, f := range flat {
		width = max(width, termtext.Width(f.Label))
	}
	for _, f := range flat {
		if _, err := io.WriteString(w, pad(f.Label, width)+"  "+f.TextOrDash()+"\n"); err != nil {
			return err
		}
	}
	for _, f := range flat {
		if f.Meaning == "" {
			continue
		}
		if _, err := io.WriteString(w, f.Label+" is "+f.Meaning+".\n"); err != nil {
			return err
		}
	}
	for _, objects := range lists {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := writeTable(w, columns, objects); err != nil {
			return err
		}
	}
	return nil
}

// labelledFields appends the labelled fields of o and of its nested records to fields, and their
// lists of records to lists. It returns both slices.
func labelledFields(o, fields record.Object, lists [][]record.Object) (record.Object, [][]record.Object) {
	for _, f := range o {
		if parts, is := f.Object(); is {
			fields, lists = labelledFields(parts, fields, lists)
		} else if list, is := f.Objects(); is {
			if len(list) > 0 && slices.ContainsFunc(list[0], func(f record.Field) bool { return f.Column.InTable }) {
				lists = append(lists, list)
			}
		} else if f.Label != "" {
			fields = append(fields, f)
		}
	}
	return fields, lists
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-termtext.Width(s)))
}
