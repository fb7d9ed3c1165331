package export

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"tarmac/apiclient"
)

// Sheet is a table that is in memory. Names are the API's; Amounts are those of them
// whose values are an apiclient.Amount: in CSV such a column is two, as AmountColumns
// names them, with rows and without. Any other value is a
// string, a *int64, a *time.Time or a json.RawMessage: nil and "" are null in JSON and
// nothing in CSV, an amount that nobody knows is null and the dash.
type Sheet struct {
	Names, Amounts []string
	Rows           [][]any
}

// Write writes a sheet to a file, readable by its owner alone, and returns where it
// is, as Commit does. Its error matches fs.ErrExist where something of the name is there
// already. After an error nothing is left, nor where the context ended before the file
// was whole.
func Write(ctx context.Context, path string, s Sheet) (string, error) {
	format, err := FormatOf(path)
	if err != nil {
		return "", err
	}
	f, err := create(path)
	if err != nil {
		return "", err
	}
	write := s.csv
	if format == JSON {
		write = s.json
	}
	if err = write(f.buffer); err == nil {
		err = ctx.Err()
	}
	if err != nil {
		f.Discard()
		return "", err
	}
	return f.Commit()
}

func (s Sheet) csv(w io.Writer) error {
	out := NewCSV(w)
	var names []string
	for _, name := range s.Names {
		if slices.Contains(s.Amounts, name) {
			names = append(names, AmountColumns(name)...)
		} else {
			names = append(names, name)
		}
	}
	if err := out.Write(names); err != nil {
		return err
	}
	for _, row := range s.Rows {
		cells := make([]string, 0, len(names))
		for i, v := range row {
			amount, is := v.(apiclient.Amount)
			switch {
			case is && !slices.Contains(s.Amounts, s.Names[i]):
				return fmt.Errorf("the column %s holds amounts and is not among those that do", s.Names[i])
			case is:
				cells = append(cells, AmountCells(amount)...)
			default:
				cells = append(cells, cell(v))
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func cell(v any) string {
	switch v := v.(type) {
	case string:
		return Cell(v)
	case *int64:
		if v == nil {
			return ""
		}
		return integer(*v)
	case *time.Time:
		if v == nil {
			return ""
		}
		return v.UTC().Format(time.RFC3339Nano)
	case json.RawMessage:
		return Cell(string(v))
	}
	return fmt.Sprint(v)
}

func (s Sheet) json(w io.Writer) error {
	line := []byte("[")
	for i, row := range s.Rows {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, '\n', '{')
		for j, v := range row {
			if j > 0 {
				line = append(line, ',')
			}
			value, err := json.Marshal(plain(v))
			if err != nil {
				return err
			}
			name, _ := json.Marshal(s.Names[j])
			line = append(append(append(line, name...), ':'), value...)
		}
		if _, err := w.Write(append(line, '}')); err != nil {
			return err
		}
		line = line[:0]
	}
	_, err := w.Write(append(line, "\n]\n"...))
	return err
}

// plain returns what stands for a value in JSON.
func plain(v any) any {
	switch v := v.(type) {
	case string:
		return maybe(v)
	case apiclient.Amount:
		return minor(v)
	case *time.Time:
		if v == nil {
			return nil
		}
		return v.UTC()
	case json.RawMessage:
		if len(v) == 0 {
			return nil
		}
	}
	return v
}
