package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// bodies checks JSON bodies of responses. It compiles each schema once; the OpenAPI validator
// compiles it again for each response, which took most of the time of many tests.
type bodies struct {
	doc *openapi3.T

	mu       sync.Mutex
	compiled map[*openapi3.SchemaRef]*jsonschema.Schema
}

// check returns an error if a body does not match its schema.
func (b *bodies) check(ref *openapi3.SchemaRef, body []byte) error {
	schema, err := b.schema(ref)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("the body does not match the schema %s: %w", ref.Ref, err)
	}
	return nil
}

func (b *bodies) schema(ref *openapi3.SchemaRef) (*jsonschema.Schema, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if schema := b.compiled[ref]; schema != nil {
		return schema, nil
	}
	// References in the schema are relative to the document.
	text, err := json.Marshal(map[string]any{"components": b.doc.Components, "body": ref})
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	for name, validate := range bodyFormats {
		compiler.RegisterFormat(&jsonschema.Format{Name: name, Validate: validate})
	}
	if err := compiler.AddResource("contract.json", document); err != nil {
		return nil, err
	}
	schema, err := compiler.Compile("contract.json#/body")
	if err != nil {
		return nil, fmt.Errorf("compile the schema %s: %w", ref.Ref, err)
	}
	b.compiled[ref] = schema
	return schema, nil
}

// bodyFormats holds the formats of the contract. E-mail addresses and URLs are not checked.
var bodyFormats = map[string]func(any) error{
	"date":      ofText(isDate),
	"date-time": ofText(isTimestamp),
	"int64":     isInt64,
	"email":     ofText(func(string) error { return nil }),
	"uri":       ofText(func(string) error { return nil }),
}

// ofText returns a validator of texts. Formats of texts say nothing about other values.
func ofText(validate func(string) error) func(any) error {
	return func(value any) error {
		if text, ok := value.(string); ok {
			return validate(text)
		}
		return nil
	}
}

func isInt64(value any) error {
	if number, ok := value.(json.Number); ok {
		_, err := number.Int64()
		return err
	}
	return nil
}
