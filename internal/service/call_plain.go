package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/fetch"
)

// plainCard gets a card over http from this machine and from nowhere else.
func plainCard(ctx context.Context, card string, most int64) (*fetch.Response, error) {
	u, err := url.Parse(card)
	if err != nil {
		return nil, err
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback()) {
		return nil, errors.New("expected http only on loopback")
	}
	transport := &http.Transport{DisableKeepAlives: true, DisableCompression: true, DialContext: dialLoopback}
	client := &http.Client{
		Transport: transport, Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, card, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("expected the status 200, found %d", resp.StatusCode)
	}
	body, err := readAtMost(resp.Body, "the card", most)
	return &fetch.Response{Body: body}, err
}

// dialLoopback connects to what a name was resolved to, if that is on loopback.
func dialLoopback(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if tcp, ok := c.RemoteAddr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return nil, errors.Join(errors.New("expected an address on loopback"), c.Close())
	}
	return c, nil
}
