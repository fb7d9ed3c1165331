package internet

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"sync"
	"time"
)

const day = 24 * time.Hour

// makeAuthority makes the key and the certificate of the authority.
func (i *Internet) makeAuthority() (err error) {
	if i.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-day), NotAfter: time.Now().Add(day),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &i.key.PublicKey, i.key)
	if err != nil {
		return err
	}
	if i.rootCert, err = x509.ParseCertificate(raw); err != nil {
		return err
	}
	i.root = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})
	i.pool = x509.NewCertPool()
	i.pool.AddCert(i.rootCert)
	return nil
}

// certificate returns the certificate of a host.
func (i *Internet) certificate(host string) (*tls.Certificate, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if made := i.certificates[host]; made != nil {
		return made, nil
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-day), NotAfter: time.Now().Add(day),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, i.rootCert, &i.key.PublicKey, i.key)
	if err != nil {
		return nil, err
	}
	i.certificates[host] = &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: i.key}
	return i.certificates[host], nil
}

// readFirst is a connection of which some bytes were read before.
type readFirst struct {
	net.Conn
	reader *bufio.Reader
}

func (c *readFirst) Read(p []byte) (int, error) { return c.reader.Read(p) }

// single is a listener that accepts one connection.
type single struct {
	conn    chan net.Conn
	address net.Addr
	once    sync.Once
	closed  chan struct{}
}

func (s *single) Accept() (net.Conn, error) {
	select {
	case conn := <-s.conn:
		return conn, nil
	case <-s.closed:
		return nil, net.ErrClosed
	}
}

func (s *single) Addr() net.Addr { return s.address }

func (s *single) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}
