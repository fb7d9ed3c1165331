package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// deliveryHeaders is the prefix that the headers of webhook deliveries have in common.
const deliveryHeaders = "X-Service-"

// EventTypes returns the event types of the contract's webhooks in alphabetical order.
func (c *Contract) EventTypes() []string {
	types := make([]string, 0, len(c.doc.Webhooks))
	for name := range c.doc.Webhooks {
		types = append(types, name)
	}
	slices.Sort(types)
	return types
}

// CheckDelivery returns an error if a webhook delivery does not conform to the contract.
func (c *Contract) CheckDelivery(method string, header http.Header, body []byte) error {
	eventType := header.Get(deliveryHeaders + "Event-Type")
	item := c.doc.Webhooks[eventType]
	if item == nil || item.GetOperation(method) == nil {
		return fmt.Errorf("the contract has no webhook %s %q", method, eventType)
	}
	op := item.GetOperation(method)
	if err := checkDeliveryHeaders(op, header); err != nil {
		return err
	}
	if err := checkMediaType(header); err != nil {
		return err
	}
	if err := checkJSON(body); err != nil {
		return err
	}
	req, err := http.NewRequest(method, "/", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = header.Clone()
	err = openapi3filter.ValidateRequest(context.Background(), &openapi3filter.RequestValidationInput{
		Request: req, Options: options(),
		Route: &routers.Route{Spec: c.doc, PathItem: item, Method: method, Operation: op},
	})
	if err != nil {
		return err
	}
	var event struct{ ID string }
	if err := json.Unmarshal(body, &event); err != nil {
		return err
	}
	if event.ID != header.Get(deliveryHeaders+"Event-Id") {
		return errors.New("the header names another event than the body")
	}
	return nil
}

// checkDeliveryHeaders returns an error for undeclared and repeated headers, which the OpenAPI
// validator accepts.
func checkDeliveryHeaders(op *openapi3.Operation, header http.Header) error {
	for name, values := range header {
		if !strings.HasPrefix(name, deliveryHeaders) {
			continue
		}
		if op.Parameters.GetByInAndName(openapi3.ParameterInHeader, name) == nil {
			return fmt.Errorf("header %s is not declared", name)
		}
		if len(values) > 1 {
			return fmt.Errorf("header %s came %d times", name, len(values))
		}
	}
	return nil
}
