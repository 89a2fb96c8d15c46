package node

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/metricbeat/mb"

	"dyno/collector/marker"
	"dyno/collector/module/dyno/dynotest"
)

func recorded(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("_meta", "testdata", name))
	require.NoError(t, err)
	return content
}

func statsOf(t testing.TB, answer []byte) tree {
	t.Helper()
	var parser parser
	stats, err := parser.parse(answer)
	require.NoError(t, err)
	return stats
}

// versions are the versions of Elasticsearch and OpenSearch whose responses were recorded, see _meta/testdata/README.md.
var (
	versions   = []string{"7.17.29", "8.19.21", "9.5.3"}
	openSearch = []string{"opensearch-2.19.6", "opensearch-3.6.0"}
	recordings = slices.Concat(versions, openSearch)
)

// numberOf returns the version that the nodes of a recording report.
func numberOf(recording string) string { return strings.TrimPrefix(recording, "opensearch-") }

func recordedAbout(t testing.TB, version string) about {
	t.Helper()
	var about about
	var facts factsAnswer
	require.NoError(t, decode(recorded(t, "facts-"+version+".json"), &facts))
	require.NoError(t, decode(recorded(t, "cluster-"+version+".json"), &about.cluster))
	about.nodes, about.now = facts.Nodes, time.Now()
	return about
}

func only(t testing.TB, events []mb.Event) mb.Event {
	t.Helper()
	require.Len(t, events, 1)
	return events[0]
}

// eventsOf returns the events for both recorded responses of a version. The second response is three seconds after the first.
func eventsOf(t *testing.T, version string) (first, second mb.Event) {
	t.Helper()
	recorder := newRecorder()
	about := recordedAbout(t, version)
	first = only(t, recorder.events(statsOf(t, recorded(t, "stats-"+version+"-first.json")), about))
	about.now = about.now.Add(3 * time.Second)
	second = only(t, recorder.events(statsOf(t, recorded(t, "stats-"+version+"-second.json")), about))
	return first, second
}

func TestEventsOfRecordedAnswers(t *testing.T) {
	for _, version := range recordings {
		t.Run(version, func(t *testing.T) {
			first, second := eventsOf(t, version)
			for name := range first.MetricSetFields.Flatten() {
				assert.NotContains(t, name, ".change")
			}
			assert.Empty(t, dynotest.Undocumented(t, Fields, common.MapStr{"node": first.MetricSetFields}))
			assert.Empty(t, dynotest.Undocumented(t, Fields, common.MapStr{"node": second.MetricSetFields}))
			before, after := first.MetricSetFields.Flatten(), second.MetricSetFields.Flatten()
			changes := 0
			for name, total := range after {
				if counter, isTotal := strings.CutSuffix(name, ".total"); isTotal && before[name] != nil {
					assert.Equal(t, total.(int64)-before[name].(int64), after[counter+".change"], counter)
					changes++
				}
			}
			assert.Greater(t, changes, 70)
			// Reports and alerts use these metrics, so every version must report them.
			for _, name := range []string{
				"thread_pool.write.completed.change", "indexing.docs.change", "indexing.time.ms.change",
				"search.query.count.change", "refresh.count.change",
				"cpu.process.time.ms.change", "http.opened.change",
			} {
				assert.Positive(t, after[name], name)
			}
			for _, name := range []string{
				"thread_pool.write.rejected.change", "thread_pool.write.queue", "thread_pool.search.rejected.change",
				"indexing_pressure.rejections.coordinating.change", "indexing_pressure.rejections.primary.change",
				"indexing_pressure.rejections.replica.change", "indexing_pressure.limit.bytes",
				"flush.count.change", "merges.throttled.ms.change", "gc.young.time.ms.change", "gc.old.count.change", "jvm.heap.used.pct",
				"cpu.os.pct", "cgroup.cpu.throttled.ns.change", "fs.io.operations.change", "fs.available.bytes",
				"breaker.parent.tripped.change", "transport.rx.bytes.change", "translog.size.bytes", "cache.query.hits.change",
			} {
				assert.Contains(t, after, name)
			}
			assert.EqualValues(t, 10000, after["thread_pool.write.queue_capacity"])
			assert.NotContains(t, after, "thread_pool.refresh.queue_capacity", "it is unlimited")
			assert.NotContains(t, after, "cgroup.memory.limit.bytes", "it is unlimited")
			assert.Equal(t, false, after["restarted"])

			root := second.RootFields.Flatten()
			assert.Equal(t, "dyno-1", root["elasticsearch.node.name"])
			assert.Equal(t, "127.0.0.1", root["host.ip"])
			assert.Equal(t, numberOf(version), root["service.version"])
			assert.NotEmpty(t, root["elasticsearch.cluster.id"])
			assert.Contains(t, root["elasticsearch.node.roles"], "ingest")
			assert.NotContains(t, root, "trial.id")
		})
	}
}

// since contains, for some metrics, the first recorded version that reports them. The events of earlier versions do not have these fields.
var since = map[string]string{
	"http.response.bytes.change":                            "8.19.21",
	"indexing_pressure.rejections.primary_documents.change": "8.19.21",
	"thread_pool.merge.completed.change":                    "8.19.21",
	"breaker.inflight_requests.tripped.change":              "8.19.21",
	"jvm.pool.metaspace.used.bytes":                         "8.19.21",
	"thread_pool.write_coordination.completed.change":       "9.5.3",
	"gc.g1_concurrent_gc.time.ms.change":                    "9.5.3",
}

func TestMetricsThatAVersionLacksAreOmitted(t *testing.T) {
	for at, version := range versions {
		_, event := eventsOf(t, version)
		fields := event.MetricSetFields.Flatten()
		for name, first := range since {
			if slices.Index(versions, first) <= at {
				assert.Contains(t, fields, name, version)
			} else {
				assert.NotContains(t, fields, name, version)
			}
		}
	}
}

// openSearchFields contains metrics by whether OpenSearch reports them.
var openSearchFields = map[string]bool{
	"thread_pool.index_searcher.completed.change":           true,
	"thread_pool.index_searcher.queue_capacity":             true,
	"breaker.in_flight_requests.tripped.change":             true,
	"jvm.pool.old.used.bytes":                               true,
	"indexing_pressure.rejections.primary_documents.change": false,
	"thread_pool.merge.completed.change":                    false,
	"thread_pool.write_coordination.completed.change":       false,
	"http.response.bytes.change":                            false,
}

func TestOpenSearchReportsOtherMetrics(t *testing.T) {
	for _, version := range openSearch {
		_, event := eventsOf(t, version)
		fields := event.MetricSetFields.Flatten()
		for name, reported := range openSearchFields {
			if reported {
				assert.Contains(t, fields, name, version)
			} else {
				assert.NotContains(t, fields, name, version)
			}
		}
	}
	for _, version := range versions {
		_, event := eventsOf(t, version)
		assert.NotContains(t, event.MetricSetFields.Flatten(), "thread_pool.index_searcher.threads", version)
	}
}

// The test uses the response of 9.5.3, changed to the format of versions before 6.3: a bulk thread pool, no indexing pressure, no io_time.
func TestAnOldVersionReportsLess(t *testing.T) {
	event := only(t, newRecorder().events(statsOf(t, recorded(t, "stats-old-shape.json")), about{now: time.Now()}))
	fields := event.MetricSetFields.Flatten()
	assert.Contains(t, fields, "thread_pool.bulk.rejected.total")
	assert.NotContains(t, fields, "thread_pool.write.rejected.total")
	assert.NotContains(t, fields, "indexing_pressure.limit.bytes")
	assert.NotContains(t, fields, "fs.io.io_time.ms.total")
	assert.Empty(t, dynotest.Undocumented(t, Fields, common.MapStr{"node": event.MetricSetFields}))
}

func TestTheTrialIsFoundByTheNodesClock(t *testing.T) {
	stats := statsOf(t, recorded(t, "stats-9.5.3-first.json"))
	about := recordedAbout(t, "9.5.3")
	for id, node := range stats.at("nodes").children() {
		answered := time.UnixMilli(int64(*node.number("timestamp")))
		boundary := answered.Add(-500 * time.Millisecond)
		about.marker = &marker.Document{Clocks: map[string]float64{id: 1000}}
		about.marker.Trial.ID = "t1"
		about.marker.Phases = []marker.Phase{
			{Phase: "warm-up", From: answered.Add(-time.Minute), Until: &boundary}, {Phase: "measure", From: boundary},
		}
	}
	event := only(t, newRecorder().events(stats, about))
	// By the run's clock, the node answered half a second before the measured phase began.
	assert.Equal(t, "warm-up", event.RootFields["phase"])
	assert.Equal(t, common.MapStr{"id": "t1"}, event.RootFields["trial"])
	assert.Contains(t, event.RootFields, "elasticsearch")
}

func TestValuesOfUnexpectedTypesAreOmitted(t *testing.T) {
	stats := statsOf(t, []byte(`{"nodes":{"n":{"name":7,"timestamp":"soon","thread_pool":{"write":{"queue":"long",
		"active":1e400,"completed":5,"rejected":-1}},"indices":[],"jvm":{"uptime_in_millis":1.5},"breakers":null}}}`))
	event := only(t, newRecorder().events(stats, about{now: time.Now()}))
	pool, err := event.MetricSetFields.GetValue("thread_pool.write")
	require.NoError(t, err)
	assert.Equal(t, common.MapStr{"completed": common.MapStr{"total": int64(5)}}, pool)
}

func TestTruncatedAnswersAreErrors(t *testing.T) {
	whole := recorded(t, "stats-9.5.3-first.json")
	for cut := 0; cut < len(whole)-2; cut += 97 {
		var parser parser
		_, err := parser.parse(whole[:cut])
		assert.Error(t, err)
	}
}

func TestNodesThatLeftAreForgotten(t *testing.T) {
	recorder := newRecorder()
	stats := statsOf(t, recorded(t, "stats-9.5.3-first.json"))
	now := time.Now()
	recorder.events(stats, about{now: now})
	recorder.events(tree{}, about{now: now.Add(forgetNodesAfter)})
	assert.Len(t, recorder.nodes, 1)
	recorder.events(tree{}, about{now: now.Add(forgetNodesAfter + time.Second)})
	assert.Empty(t, recorder.nodes)
}

// FuzzEvents checks that events can be created twice from any response, and that they can be written as JSON.
func FuzzEvents(f *testing.F) {
	for _, version := range recordings {
		f.Add(recorded(f, "stats-"+version+"-first.json"))
	}
	f.Add(recorded(f, "stats-old-shape.json"))
	f.Add([]byte(`{"nodes":{"":null,"n":null,"m":{"fs":{"io_stats":{"devices":[null,{}]}},"roles":[null]}}}`))
	f.Add([]byte(`{"nodes":{"n":{"timestamp":-9223372036854775808,"thread_pool":{"write":null},"http":{"routes":{"/":null}}}}}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		recorder := newRecorder()
		var parser parser
		for range 3 {
			stats, err := parser.parse(answer)
			if err != nil {
				return
			}
			for _, event := range recorder.events(stats, about{now: time.Now(), marker: &marker.Document{}}) {
				beat := event.BeatEvent("dyno", "node", mb.AddMetricSetInfo)
				if _, err := json.Marshal(beat.Fields); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
