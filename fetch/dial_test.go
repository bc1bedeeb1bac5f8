package fetch_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/fetch"
)

// The addresses of a host are checked by the table of section 9.4.
func TestAddresses(t *testing.T) {
	t.Parallel()
	refused := []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.255",
		"169.254.169.254", "168.63.129.16", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1",
		"192.31.196.1", "192.52.193.1", "192.175.48.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255",
		publicAddr, "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1",
		"2002:c0a8:101::", "2002:808:808::", "2001::1", "2001:10::1", "2001:2::1", "2001:db8::1", "3fff::1", "100::1",
		"::8.8.8.8", "::ffff:0:8.8.8.8", "2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:127.0.0.1", "2606:4700::100:5efe:169.254.169.254", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "5f00::1", "ff02::1",
	}
	for _, a := range refused {
		for name, answer := range map[string]string{
			"alone": a, "after a public one": theAddress + "," + a, "before a public one": a + "," + theAddress,
		} {
			t.Run("refused/"+a+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, text("x"))
				w.names.answers["example.com"] = []string{answer}
				_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
				require.Equal(t, fetch.CodeBlockedAddress, codeOf(t, err))
				require.Zero(t, w.dialed.Load())
			})
		}
	}
	for a, dialed := range map[string]string{
		"8.8.8.8": "tcp4 8.8.8.8:443", "::ffff:8.8.8.8": "tcp4 8.8.8.8:443", "172.15.255.255": "tcp4 172.15.255.255:443",
		"172.32.0.1": "tcp4 172.32.0.1:443", "100.63.255.255": "tcp4 100.63.255.255:443",
		"2606:4700::1111": "tcp6 [2606:4700::1111]:443", "64:ff9b::808:808": "tcp6 [64:ff9b::808:808]:443",
		"2606:4700::200:5efe:8.8.8.8": "tcp6 [2606:4700::200:5efe:808:808]:443", "2606:4700::400:5efe:a00:1": "tcp6 [2606:4700::400:5efe:a00:1]:443",
	} {
		t.Run("allowed/"+a, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, text("x"))
			w.names.answers["example.com"] = []string{a}
			_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
			require.NoError(t, err)
			require.Equal(t, dialed, w.last.Load())
		})
	}
}

func TestLiteralHosts(t *testing.T) {
	t.Parallel()
	for url, dialed := range map[string]string{
		"https://8.8.8.8/":           "tcp4 8.8.8.8:443",
		"https://[2606:4700::1111]/": "tcp6 [2606:4700::1111]:443",
		"https://[::ffff:8.8.8.8]/":  "tcp4 8.8.8.8:443",
	} {
		t.Run(url, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, text("x"))
			_, err := w.client(t).Get(t.Context(), url, fetch.Profile{})
			require.Equal(t, fetch.CodeTLS, codeOf(t, err), "the certificate does not name the address")
			require.Equal(t, dialed, w.last.Load())
			require.Empty(t, w.names.asked)
		})
	}
}

// A label of hexadecimal letters is not taken for a number.
func TestHexNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, text("x"))
	w.names.answers["cafe.example.com"] = []string{theAddress}
	_, err := w.client(t).Get(t.Context(), "https://cafe.example.com/", fetch.Profile{})
	require.NoError(t, err)
}

func TestNames(t *testing.T) {
	t.Parallel()
	t.Run("unknown", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, text("x"))
		_, err := w.client(t).Get(t.Context(), "https://nowhere.example.com/", fetch.Profile{})
		require.Equal(t, fetch.CodeDNS, codeOf(t, err))
	})
	t.Run("no address", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, text("x"))
		w.names.answers["example.com"] = []string{""}
		_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
		require.Equal(t, fetch.CodeDNS, codeOf(t, err))
	})
	t.Run("too many addresses", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, text("x"))
		w.names.answers["example.com"] = []string{strings.Repeat(theAddress+",", 65)}
		_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
		require.Equal(t, fetch.CodeDNS, codeOf(t, err))
	})
	t.Run("the second address when the first does not answer", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, text("x"))
		w.names.answers["example.com"] = []string{"8.8.8.8,8.8.4.4"}
		w.opts.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if address == "8.8.8.8:443" {
				return nil, errors.New("refused")
			}
			return w.dial(ctx, network, address)
		}
		_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
		require.NoError(t, err)
		require.Equal(t, "tcp4 8.8.4.4:443", w.last.Load())
	})
	// DNS rebinding: a second answer would be private. It is never asked for,
	// and the address that was judged is the one that is connected to.
	t.Run("rebinding", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, text("x"))
		w.names.answers["example.com"] = []string{theAddress, "10.0.0.1"}
		_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
		require.NoError(t, err)
		require.Equal(t, "tcp4 "+theAddress+":443", w.last.Load())
		_, err = w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
		require.Equal(t, fetch.CodeBlockedAddress, codeOf(t, err), "the next fetch judges the next answer")
		require.EqualValues(t, 1, w.dialed.Load())
	})
	t.Run("rebinding between redirects", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/again", http.StatusFound) })
		w.names.answers["example.com"] = []string{theAddress, "169.254.169.254"}
		_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{Redirects: 3})
		require.Equal(t, fetch.CodeBlockedAddress, codeOf(t, err))
		require.EqualValues(t, 1, w.dialed.Load())
	})
}

// The default dialer checks the address that it really connects to.
func TestDefaultDialer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, text("x"))
	port := netip.MustParseAddrPort(w.server.Listener.Addr().String()).Port()
	w.names.answers["example.com"] = []string{"127.0.0.1"}
	w.opts.Dial = nil
	w.opts.Ports = []uint16{port}
	url := "https://" + net.JoinHostPort("example.com", strings.TrimPrefix(w.server.Listener.Addr().String(), "127.0.0.1:"))
	_, err := w.client(t).Get(t.Context(), url, fetch.Profile{})
	require.Equal(t, fetch.CodeBlockedAddress, codeOf(t, err))
	_, err = w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
	require.Equal(t, fetch.CodeURL, codeOf(t, err), "443 is not among the allowed ports any more")

	w.opts.InsecureAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	r, err := w.client(t).Get(t.Context(), url, fetch.Profile{})
	require.NoError(t, err)
	require.Equal(t, "x", string(r.Body))
	_, err = w.client(t).Get(t.Context(), strings.Replace(url, "example.com", "localhost", 1), fetch.Profile{})
	require.Equal(t, fetch.CodeBlockedAddress, codeOf(t, err), "a name that means this machine stays refused")
	w.names.answers["example.com"] = []string{"10.0.0.1"}
	_, err = w.client(t).Get(t.Context(), url, fetch.Profile{})
	require.Equal(t, fetch.CodeBlockedAddress, codeOf(t, err), "other private addresses stay refused")
}

func TestInsecureAllowRefuses(t *testing.T) {
	t.Parallel()
	for _, p := range []string{
		"169.254.0.0/16", "169.254.169.254/32", "0.0.0.0/0", "::/0", "fe80::/64", "224.0.0.0/8", "168.63.129.16/32",
		"fd00:ec2::254/128", "::ffff:127.0.0.0/104", "100.64.0.0/10",
	} {
		_, err := fetch.New(fetch.Options{InsecureAllow: []netip.Prefix{netip.MustParsePrefix(p)}})
		require.Error(t, err, p)
	}
	_, err := fetch.New(fetch.Options{InsecureAllow: []netip.Prefix{{}}})
	require.Error(t, err)
	// Below an allowed prefix of NAT64, too, nothing leads to what is never allowed.
	w := newWorld(t, text(""))
	w.opts.InsecureAllow = []netip.Prefix{netip.MustParsePrefix("64:ff9b::/96")}
	for url, ok := range map[string]bool{"https://[64:ff9b::a9fe:a9fe]/": false, "https://[64:ff9b::a83f:8110]/": false, "https://[64:ff9b::a00:1]/": true} {
		_, err := w.client(t).Get(t.Context(), url, fetch.Card())
		require.Equal(t, ok, codeOf(t, err) != fetch.CodeBlockedAddress, url) // no certificate names the allowed one
	}
	for _, p := range []string{"127.0.0.0/8", "::1/128", "10.0.0.0/8", "fd12::/16"} {
		_, err := fetch.New(fetch.Options{InsecureAllow: []netip.Prefix{netip.MustParsePrefix(p)}})
		require.NoError(t, err, p)
	}
}

// DialContext lets other clients connect under the same rules.
func TestDialContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t, text("x"))
	w.names.answers["inside.example.com"] = []string{theAddress + ",10.0.0.1"}
	c := w.client(t)
	for _, row := range []struct {
		address string
		code    fetch.Code
	}{
		{"example.com:443", ""},
		{"EXAMPLE.com.:443", ""},
		{theAddress + ":443", ""},
		{"example.com:8443", fetch.CodeURL},
		{"example.com:443/x", fetch.CodeURL},
		{"example.com:443?x", fetch.CodeURL},
		{"u@example.com:443", fetch.CodeURL},
		{"127.0.0.1:443", fetch.CodeBlockedAddress},
		{"[::1]:443", fetch.CodeBlockedAddress},
		{"2130706433:443", fetch.CodeURL},
		{"localhost:443", fetch.CodeBlockedAddress},
		{"inside.example.com:443", fetch.CodeBlockedAddress},
		{"nowhere.example.com:443", fetch.CodeDNS},
		{"", fetch.CodeURL},
	} {
		before := w.dialed.Load()
		conn, err := c.DialContext(t.Context(), "tcp", row.address)
		if row.code != "" {
			require.Error(t, err, row.address)
			require.Equal(t, row.code, codeOf(t, err), row.address)
			require.Nil(t, conn)
			require.Equal(t, before, w.dialed.Load(), row.address)
			continue
		}
		require.NoError(t, err, row.address)
		require.NoError(t, conn.Close())
	}
}
