package marker

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/logp"
)

func outputOf(t *testing.T, settings map[string]any) common.ConfigNamespace {
	t.Helper()
	var config struct {
		Output common.ConfigNamespace `config:"output"`
	}
	require.NoError(t, common.MustNewConfigFrom(map[string]any{"output": settings}).Unpack(&config))
	return config.Output
}

func TestReaderLogsFailureAndRecoveryOnce(t *testing.T) {
	require.NoError(t, logp.DevelopmentSetup(logp.ToObserverOutput()))
	var fails atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		assert.Equal(t, "dyno:secret", user+":"+password)
		switch {
		case fails.Load():
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path != "/dyno-markers/_doc/u":
			w.WriteHeader(http.StatusNotFound)
		default:
			_, _ = w.Write([]byte(answer))
		}
	}))
	defer server.Close()
	reader, err := newReader(nil, outputOf(t, map[string]any{"elasticsearch": map[string]any{
		"hosts": []string{server.URL}, "username": "dyno", "password": "secret", "index": "any",
	}}))
	require.NoError(t, err)
	require.NotNil(t, reader)

	assert.Equal(t, "t1", reader.Read("u").Trial.ID)
	assert.Nil(t, reader.Read("another"), "a missing marker is not an error")
	fails.Store(true)
	for range 3 {
		assert.Nil(t, reader.Read("u"))
		reader.notUntil = reader.notUntil.Add(-longestGap)
	}
	fails.Store(false)
	for range 2 {
		assert.NotNil(t, reader.Read("u"))
	}
	logs := logp.ObserverLogs()
	assert.Equal(t, 1, logs.FilterMessageSnippet("cannot read the marker").Len())
	assert.Equal(t, 1, logs.FilterMessageSnippet("can be read again").Len())
}

func TestConfiguration(t *testing.T) {
	elasticsearch := map[string]any{"elasticsearch": map[string]any{"hosts": []string{"http://results:9200"}}}
	for _, test := range []struct {
		title   string
		section map[string]any
		output  map[string]any
		urls    []string
	}{
		{"the output's hosts by default", nil, elasticsearch, []string{"http://results:9200"}},
		{"the hosts of an output to OpenSearch", nil, map[string]any{"opensearch": map[string]any{"hosts": []string{"http://results:9200"}}}, []string{"http://results:9200"}},
		{"separate hosts", map[string]any{"hosts": []string{"http://a:1", "b:2"}}, elasticsearch, []string{"http://a:1", "http://b:2"}},
		{"switched off", map[string]any{"enabled": false}, elasticsearch, nil},
		{"switched off with hosts", map[string]any{"enabled": false, "hosts": "a"}, elasticsearch, nil},
		{"another output", nil, map[string]any{"console": map[string]any{}}, nil},
	} {
		t.Run(test.title, func(t *testing.T) {
			var section *common.Config
			if test.section != nil {
				section = common.MustNewConfigFrom(test.section)
			}
			reader, err := newReader(section, outputOf(t, test.output))
			require.NoError(t, err)
			var urls []string
			if reader != nil {
				for i := range reader.clients {
					urls = append(urls, reader.clients[i].URL)
				}
			}
			assert.Equal(t, test.urls, urls)
		})
	}
}

func TestNilReaderReadsNothing(t *testing.T) {
	var reader *Reader
	assert.Nil(t, reader.Read("u"))
}
