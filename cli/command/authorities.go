package command

import (
	"crypto/x509"
	"fmt"
	"os"
)

// Authorities returns the system's certificate authorities and those in the file at path.
// Errors name source as the setting that contains the path. If path is "", it returns nil, which
// means the system's authorities.
func Authorities(source, path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the certificate authorities of %s: %w", source, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form", path)
	}
	return pool, nil
}
