package service_test

import (
	"net/http"
	"testing"
)

func referee(t testing.TB, base http.RoundTripper) http.RoundTripper { return base }
