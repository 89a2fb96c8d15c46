package node

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/metricbeat/mb"
	mbtest "github.com/elastic/beats/v7/metricbeat/mb/testing"
)

// cluster answers with the recorded responses of 9.5.3.
func cluster(t *testing.T, stats func() (status int, body []byte)) (url string, paths func() []string) {
	t.Helper()
	return clusterOf(t, "9.5.3", stats)
}

// clusterOf answers with the recorded responses of a version.
func clusterOf(t *testing.T, version string, stats func() (status int, body []byte)) (url string, paths func() []string) {
	t.Helper()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.Header.Get("Authorization"))
		status, body := http.StatusOK, []byte("{}")
		switch {
		case strings.HasSuffix(r.URL.Path, "/stats"):
			status, body = stats()
		case strings.HasSuffix(r.URL.Path, "/thread_pool"):
			body = recorded(t, "facts-"+version+".json")
		case r.URL.Path == "/_cluster/state/version":
			body = recorded(t, "cluster-"+version+".json")
		}
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string { return asked }
}

func configOf(url string, more map[string]any) map[string]any {
	config := map[string]any{"module": "dyno", "metricsets": []string{"node"}, "hosts": []string{url}}
	for name, value := range more {
		config[name] = value
	}
	return config
}

func TestFetch(t *testing.T) {
	answers := []string{"stats-9.5.3-first.json", "stats-9.5.3-second.json"}
	round := 0
	url, paths := cluster(t, func() (int, []byte) { round++; return http.StatusOK, recorded(t, answers[(round-1)%2]) })
	metricset := mbtest.NewReportingMetricSetV2Error(t, configOf(url, map[string]any{"api_key": "id:key"}))
	for range 2 {
		events, errs := mbtest.ReportingFetchV2Error(metricset)
		require.Empty(t, errs)
		require.Len(t, events, 1)
		if _, changed := events[0].MetricSetFields["interval"]; changed {
			fields := mbtest.StandardizeEvent(metricset, events[0], mb.AddMetricSetInfo).Fields
			_, err := fields.Put("service.address", "127.0.0.1:9200")
			require.NoError(t, err)
			compare(t, fields)
		}
	}
	assert.Equal(t, []string{
		"/_nodes/thread_pool ApiKey aWQ6a2V5", "/_cluster/state/version ApiKey aWQ6a2V5",
		"/_nodes/stats ApiKey aWQ6a2V5", "/_nodes/stats ApiKey aWQ6a2V5",
	}, paths())
}

func TestFetchFromEveryVersion(t *testing.T) {
	for _, version := range recordings {
		t.Run(version, func(t *testing.T) {
			round := 0
			url, paths := clusterOf(t, version, func() (int, []byte) {
				round++
				return http.StatusOK, recorded(t, "stats-"+version+[]string{"-first.json", "-second.json"}[(round-1)%2])
			})
			metricset := mbtest.NewReportingMetricSetV2Error(t, configOf(url, nil))
			for range 2 {
				events, errs := mbtest.ReportingFetchV2Error(metricset)
				require.Empty(t, errs)
				require.Len(t, events, 1)
				assert.Equal(t, numberOf(version), events[0].RootFields.Flatten()["service.version"])
			}
			// The requests are the same for every version. The facts are read only once.
			assert.Equal(t, []string{
				"/_nodes/thread_pool ", "/_cluster/state/version ", "/_nodes/stats ", "/_nodes/stats ",
			}, paths())
		})
	}
}

// compare checks that _meta/data.json is equal to what the metricset sends. `go test -data` writes the file.
func compare(t *testing.T, fields map[string]any) {
	t.Helper()
	file := filepath.Join("_meta", "data.json")
	found, err := json.MarshalIndent(fields, "", "    ")
	require.NoError(t, err)
	if flag.Lookup("data").Value.String() == "true" {
		require.NoError(t, os.WriteFile(file, append(found, '\n'), 0o644))
	}
	expected, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.JSONEq(t, string(expected), string(found))
}

func TestScopeNodeAsksOnlyTheNodeItself(t *testing.T) {
	url, paths := cluster(t, func() (int, []byte) { return http.StatusOK, recorded(t, "stats-9.5.3-first.json") })
	_, errs := mbtest.ReportingFetchV2Error(mbtest.NewReportingMetricSetV2Error(t, configOf(url, map[string]any{"scope": "node"})))
	require.Empty(t, errs)
	assert.Contains(t, paths(), "/_nodes/_local/stats ")
}

func TestInvalidResponsesAreErrors(t *testing.T) {
	for title, answer := range map[string]func() (int, []byte){
		"refused":   func() (int, []byte) { return http.StatusUnauthorized, []byte(`{"error":"no"}`) },
		"truncated": func() (int, []byte) { return http.StatusOK, recorded(t, "stats-9.5.3-first.json")[:5000] },
		"no JSON":   func() (int, []byte) { return http.StatusOK, []byte("<html>") },
		"a list":    func() (int, []byte) { return http.StatusOK, []byte("[]") },
	} {
		t.Run(title, func(t *testing.T) {
			url, _ := cluster(t, answer)
			events, errs := mbtest.ReportingFetchV2Error(mbtest.NewReportingMetricSetV2Error(t, configOf(url, nil)))
			assert.Empty(t, events)
			assert.Len(t, errs, 1)
		})
	}
}

func TestAnUnavailableClusterGivesAShortMessage(t *testing.T) {
	_, errs := mbtest.ReportingFetchV2Error(mbtest.NewReportingMetricSetV2Error(t, configOf("http://127.0.0.1:1", nil)))
	require.Len(t, errs, 1)
	assert.Equal(t, `reading the nodes' statistics: error making http request: Get "http://127.0.0.1:1/_nodes/stats": dial tcp 127.0.0.1:1: connect: connection refused`, errs[0].Error())
}

func TestWrongConfigurationsAreRefused(t *testing.T) {
	for message, more := range map[string]map[string]any{
		`scope: found "all"`:        {"scope": "all"},
		"hosts: with `scope: clust": {"hosts": []string{"http://a:1", "http://b:1"}},
		"facts_period":              {"facts_period": "-1s"},
	} {
		config := configOf("http://localhost:9200", more)
		module := mbtest.NewTestModule(t, config)
		_, _, err := mb.NewModule(module.RawConfig, mb.Registry)
		require.Error(t, err)
		assert.Contains(t, err.Error(), message)
	}
}
