package banks

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// Golden reads each file in the directory testdata and compares the result with the file of the
// same name that ends in .golden. If update is set, it writes the .golden files instead.
func Golden(t *testing.T, format bank.Format, options bank.Options, update bool) {
	t.Helper()
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		if file.IsDir() || filepath.Ext(file.Name()) == ".golden" {
			continue
		}
		compared++
		t.Run(file.Name(), func(t *testing.T) {
			path := filepath.Join("testdata", file.Name())
			compareGolden(t, path+".golden", describe(t, format, path, options), update)
		})
	}
	if compared == 0 {
		t.Error("testdata has no files")
	}
}

// describe reads a file and returns its content as JSON.
func describe(t *testing.T, format bank.Format, path string, options bank.Options) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !format.Recognize(bank.NewBudget(t.Context()), content[:min(len(content), bank.HeadSize)]) {
		t.Errorf("%s is not recognized", path)
	}
	found, err := Read(format, bytes.NewReader(content), options)
	described := map[string]any{"found": plain(reflect.ValueOf(found))}
	if err != nil {
		described = map[string]any{"error": err.Error()}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(described); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func compareGolden(t *testing.T, path string, got []byte, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not as it was; got:\n%s\n(go test -update writes it anew)", path, got)
	}
}

var kinds = []string{"", "checking", "savings", "card", "investment"}

// plain converts a value to maps and lists without zero values. Dates become text.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		return plain(v.Elem())
	case reflect.Slice:
		list := make([]any, 0, v.Len())
		for i := range v.Len() {
			list = append(list, plain(v.Index(i)))
		}
		return list
	case reflect.Struct:
		if day, ok := v.Interface().(civil.Date); ok {
			return day.String()
		}
		return plainFields(v)
	}
	if kind, ok := v.Interface().(bank.Kind); ok {
		return kinds[kind]
	}
	return v.Interface()
}

// plainFields returns the fields of a struct that are not zero. Amounts are included even if they
// are zero.
func plainFields(v reflect.Value) map[string]any {
	fields := map[string]any{}
	for _, field := range reflect.VisibleFields(v.Type()) {
		value := v.FieldByIndex(field.Index)
		if !field.Anonymous && (!value.IsZero() || field.Name == "Minor") {
			fields[field.Name] = plain(value)
		}
	}
	return fields
}
