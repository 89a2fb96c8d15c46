package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"dyno/collector/module/dyno/counter"
)

// statsFilter limits the response to the values that the metricset reads.
var statsFilter = strings.Join(prefixed("nodes.*.",
	"timestamp", "name", "host", "ip", "roles",
	"indices.docs", "indices.store.size_in_bytes", "indices.indexing", "indices.search", "indices.merges",
	"indices.refresh", "indices.flush", "indices.segments", "indices.translog",
	"indices.query_cache", "indices.request_cache", "indices.fielddata",
	"os.cpu", "os.mem", "os.cgroup", "process.cpu", "process.open_file_descriptors",
	"jvm.uptime_in_millis", "jvm.mem", "jvm.threads", "jvm.gc", "thread_pool", "fs.total", "fs.io_stats",
	"transport.server_open", "transport.*x_*", "http.current_open", "http.total_opened",
	"http.routes.*.*.total_size_in_bytes", "breakers", "indexing_pressure",
), ",")

// factsFilter selects the values that do not change while a node is running.
var factsFilter = strings.Join(prefixed("nodes.*.", "name", "version", "host", "ip", "thread_pool.*.queue_size"), ",")

func prefixed(prefix string, names ...string) []string {
	for i, name := range names {
		names[i] = prefix + name
	}
	return names
}

type factsAnswer struct {
	Nodes map[string]*nodeFacts `json:"nodes"`
}

type nodeFacts struct {
	Name       string `json:"name"`
	Version    string `json:"version"`
	Host       string `json:"host"`
	IP         string `json:"ip"`
	ThreadPool map[string]struct {
		QueueSize *counter.Value `json:"queue_size"` // -1 if unlimited
	} `json:"thread_pool"`
}

type clusterAnswer struct {
	Name string `json:"cluster_name"`
	UUID string `json:"cluster_uuid"`
}

// decode parses JSON. A value of an unexpected type counts as missing. It fails only if the response is truncated or is not a JSON object.
func decode(answer []byte, into any) error {
	err := json.Unmarshal(answer, into)
	var unfit *json.UnmarshalTypeError
	if err != nil && !(errors.As(err, &unfit) && unfit.Field != "") {
		return fmt.Errorf("parsing the answer: %w", err)
	}
	return nil
}
