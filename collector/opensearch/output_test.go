package opensearch

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/libbeat/beat"
	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/outputs"
	"github.com/elastic/beats/v7/libbeat/outputs/outest"
)

const root = `{"version":{"distribution":"opensearch","number":"3.6.0"}}`

// fake answers `GET /` as OpenSearch does, and `_bulk` with `status` and `answer`.
type fake struct {
	status int
	answer string
	lines  []string // of the last bulk request
	user   string
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.user, _, _ = r.BasicAuth()
	if r.URL.Path == "/" {
		_, _ = io.WriteString(w, root)
		return
	}
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		body, _ = gzip.NewReader(r.Body)
	}
	f.lines = nil
	for scanner := bufio.NewScanner(body); scanner.Scan(); {
		f.lines = append(f.lines, scanner.Text())
	}
	w.WriteHeader(f.status)
	_, _ = io.WriteString(w, f.answer)
}

// index selects one index for all events.
type index string

func (i index) BuildSelector(*common.Config) (outputs.IndexSelector, error) { return i, nil }
func (i index) Select(*beat.Event) (string, error)                          { return string(i), nil }

// counts of events by outcome.
type counts struct {
	outputs.Observer
	active, stored, failed, refused, known, tooMany int
}

func (c *counts) NewBatch(n int)   { c.active += n }
func (c *counts) Acked(n int)      { c.active -= n; c.stored += n }
func (c *counts) Failed(n int)     { c.active -= n; c.failed += n }
func (c *counts) Dropped(n int)    { c.active -= n; c.refused += n }
func (c *counts) Duplicate(n int)  { c.active -= n; c.known += n }
func (c *counts) ErrTooMany(n int) { c.tooMany += n }

func outputTo(t *testing.T, cluster *fake) (outputs.NetworkClient, *counts) {
	t.Helper()
	server := httptest.NewServer(cluster)
	t.Cleanup(server.Close)
	counted := &counts{Observer: outputs.NewNilObserver()}
	group, err := outputs.Load(index("dyno-metrics-2026.11"), beat.Info{Beat: "dynobeat"}, counted, Name, common.MustNewConfigFrom(map[string]any{
		"hosts": []string{server.URL}, "username": "dyno", "password": "secret", "max_retries": -1,
		"backoff": map[string]any{"init": "1ms", "max": "2ms"},
	}))
	require.NoError(t, err)
	assert.Equal(t, -1, group.Retry)
	require.Len(t, group.Clients, 1)
	client, ok := group.Clients[0].(outputs.NetworkClient)
	require.True(t, ok)
	t.Cleanup(func() { _ = client.Close() })
	require.NoError(t, client.Connect())
	return client, counted
}

func eventsWith(ids ...string) []beat.Event {
	var events []beat.Event
	for _, id := range ids {
		events = append(events, beat.Event{
			Timestamp: time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC),
			Meta:      common.MapStr{"_id": id}, Fields: common.MapStr{"phase": "measure"},
		})
	}
	return events
}

func TestEventsAreCreatedWithoutAType(t *testing.T) {
	cluster := &fake{status: http.StatusOK, answer: `{"items":[{"create":{"status":201}},{"create":{"status":201}}]}`}
	client, counted := outputTo(t, cluster)
	batch := outest.NewBatch(eventsWith("a", "b")...)
	require.NoError(t, client.Publish(context.Background(), batch))
	assert.Equal(t, []string{
		`{"create":{"_index":"dyno-metrics-2026.11","_id":"a"}}`, `{"@timestamp":"2026-11-27T08:00:00.000Z","phase":"measure"}`,
		`{"create":{"_index":"dyno-metrics-2026.11","_id":"b"}}`, `{"@timestamp":"2026-11-27T08:00:00.000Z","phase":"measure"}`,
	}, cluster.lines)
	assert.Equal(t, "dyno", cluster.user)
	assert.Equal(t, []outest.BatchSignal{{Tag: outest.BatchACK}}, batch.Signals)
	assert.Equal(t, 2, counted.stored)
	assert.Zero(t, counted.active)
}

func TestOnlyEventsThatMayBeStoredLaterAreSentAgain(t *testing.T) {
	cluster := &fake{status: http.StatusOK, answer: `{"items":[
		{"create":{"status":201}}, {"create":{"status":409,"error":{"type":"version_conflict_engine_exception"}}},
		{"create":{"status":400,"error":{"type":"strict_dynamic_mapping_exception"}}},
		{"create":{"status":429,"error":{"type":"rejected"}}}, {"create":{"status":503,"error":{"type":"unavailable"}}}]}`}
	client, counted := outputTo(t, cluster)
	batch := outest.NewBatch(eventsWith("a", "b", "c", "d", "e")...)
	err := client.Publish(context.Background(), batch)
	require.ErrorContains(t, err, `2 of 5 failed, the last one with status 503: {"type":"unavailable"}`)
	require.Len(t, batch.Signals, 1)
	assert.Equal(t, outest.BatchRetryEvents, batch.Signals[0].Tag)
	require.Len(t, batch.Signals[0].Events, 2)
	assert.Equal(t, "d", batch.Signals[0].Events[0].Content.Meta["_id"])
	assert.Equal(t, []int{1, 2, 1, 1, 1}, []int{counted.stored, counted.failed, counted.refused, counted.known, counted.tooMany})
	assert.Zero(t, counted.active)
}

func TestAllEventsAreSentAgainAfterAFailedRequest(t *testing.T) {
	for title, cluster := range map[string]*fake{
		"refused":       {status: http.StatusTooManyRequests, answer: `{"error":"busy"}`},
		"no JSON":       {status: http.StatusOK, answer: "<html>"},
		"too few items": {status: http.StatusOK, answer: `{"items":[{"create":{"status":201}}]}`},
	} {
		t.Run(title, func(t *testing.T) {
			client, counted := outputTo(t, cluster)
			batch := outest.NewBatch(eventsWith("a", "b")...)
			require.Error(t, client.Publish(context.Background(), batch))
			require.Len(t, batch.Signals, 1)
			assert.Len(t, batch.Signals[0].Events, 2)
			assert.Equal(t, 2, counted.failed)
			assert.Zero(t, counted.active)
		})
	}
}

func TestTheElasticsearchOutputRefusesOpenSearch(t *testing.T) {
	for title, test := range map[string]struct {
		answer  string
		message string
	}{
		"OpenSearch":    {root, "this is OpenSearch 3.6.0: rename output.elasticsearch to output.opensearch, with the same settings"},
		"Elasticsearch": {`{"version":{"number":"9.5.3"}}`, ""},
	} {
		t.Run(title, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, test.answer) }))
			defer server.Close()
			group, err := outputs.Load(index("i"), beat.Info{Beat: "dynobeat"}, nil, "elasticsearch", common.MustNewConfigFrom(map[string]any{
				"hosts": []string{server.URL}, "backoff": map[string]any{"init": "1ms", "max": "2ms"},
			}))
			require.NoError(t, err)
			client, ok := group.Clients[0].(outputs.NetworkClient)
			require.True(t, ok)
			defer func() { _ = client.Close() }()
			err = client.Connect()
			if test.message == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, test.message)
			}
		})
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for message, settings := range map[string]map[string]any{
		"hosts":        {},
		"backoff.init": {"hosts": []string{"http://results:9200"}, "backoff": map[string]any{"init": "-1s"}},
	} {
		_, err := outputs.Load(index("i"), beat.Info{}, nil, Name, common.MustNewConfigFrom(settings))
		assert.ErrorContains(t, err, message)
	}
}
