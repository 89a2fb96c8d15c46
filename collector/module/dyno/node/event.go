package node

import (
	"math"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/metricbeat/mb"

	"dyno/collector/marker"
	"dyno/collector/module/dyno/counter"
)

// pools are the thread pools that work for indexing and searching; `bulk` is the name of `write` before 6.3.
var pools = []string{
	"write", "write_coordination", "system_write", "bulk", "search", "search_coordination", "get",
	"refresh", "flush", "force_merge", "merge",
}

// forgetNodesAfter: a node that left and comes back later is a new one.
const forgetNodesAfter = time.Hour

// recorder makes events of answers, and remembers each node's counters for the changes. Not safe for concurrent use.
type recorder struct {
	nodes      map[string]*counter.History
	identities counter.Identities
}

func newRecorder() *recorder { return &recorder{nodes: map[string]*counter.History{}} }

// about is what an answer's statistics do not tell themselves.
type about struct {
	cluster clusterAnswer
	nodes   map[string]*nodeFacts
	marker  *marker.Document
	now     time.Time
}

// events makes one event per node.
func (r *recorder) events(stats tree, about about) []mb.Event {
	nodes := stats.at("nodes").children()
	events := make([]mb.Event, 0, len(nodes))
	for id, node := range nodes {
		if !node.isObject() || id == "" {
			continue
		}
		before, known := r.nodes[id]
		if !known {
			before = &counter.History{}
			r.nodes[id] = before
		}
		events = append(events, r.event(id, node, before, about))
	}
	for id, node := range r.nodes {
		if about.now.Sub(node.Seen()) > forgetNodesAfter {
			delete(r.nodes, id)
		}
	}
	return events
}

func (r *recorder) event(id string, node tree, before *counter.History, about about) mb.Event {
	facts := about.nodes[id]
	if facts == nil {
		facts = &nodeFacts{}
	}
	timestamp := int64(valueOf(node.figure("timestamp")))
	if timestamp <= 0 || timestamp > maxTimestamp {
		timestamp = about.now.UnixMilli()
	}
	making := before.Begin(counter.Moment{
		Timestamp: timestamp, Now: about.now, Uptime: node.at("jvm").figure("uptime_in_millis"),
		Vital: map[string]*counter.Figure{"cpu.process.time.ms": node.at("process", "cpu").figure("total_in_millis"), "http.opened": node.at("http").figure("total_opened")},
	})
	measure(making.Section, node, facts)
	figures := making.End()
	at := time.UnixMilli(timestamp).UTC()
	figures["timestamp"] = at
	fields := common.MapStr{}
	if labels := about.marker.Labels(at, id); labels != nil {
		fields = labels
	}
	fields["elasticsearch"] = identity(id, node, about.cluster)
	fields["service"] = nonEmpty(common.MapStr{"name": about.cluster.Name, "version": facts.Version})
	fields["host"] = nonEmpty(common.MapStr{"name": or(facts.Host, node.text("host")), "ip": address(or(facts.IP, node.text("ip")))})
	return mb.Event{ID: r.identities.Next(), RootFields: fields, MetricSetFields: figures, Service: "elasticsearch"}
}

// maxTimestamp is the year 9999, the last that Elasticsearch's default date format reads.
const maxTimestamp = 253402300799999

func identity(id string, node tree, cluster clusterAnswer) common.MapStr {
	about := nonEmpty(common.MapStr{"id": id, "name": node.text("name")})
	var roles []string
	for _, role := range node.list("roles") {
		if name := role.text(); name != "" && len(roles) < counter.MostNames {
			roles = append(roles, name)
		}
	}
	if len(roles) > 0 {
		about["roles"] = roles
	}
	return common.MapStr{
		"cluster": nonEmpty(common.MapStr{"id": cluster.UUID, "name": cluster.Name}),
		"node":    about,
	}
}

func nonEmpty(fields common.MapStr) common.MapStr {
	for name, value := range fields {
		if value == "" {
			delete(fields, name)
		}
	}
	return fields
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// address is the IP of `127.0.0.1`, `127.0.0.1:9300` or `[::1]:9300`; empty for anything else.
func address(text string) string {
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return ""
	}
	return ip.WithZone("").String()
}

// measure puts all figures of a node.
func measure(root counter.Section, node tree, facts *nodeFacts) {
	root.Gauge("uptime.ms", node.at("jvm").figure("uptime_in_millis"))
	threadPools(root.In("thread_pool"), node, facts)
	indices(root, node)
	pressure(root.In("indexing_pressure"), node)
	jvm(root, node)
	counter.EachNamed(node.at("breakers").children(), func(name string, stats tree) {
		s := root.In("breaker").In(name)
		s.Gauge("limit.bytes", stats.figure("limit_size_in_bytes"))
		s.Gauge("estimated.bytes", stats.figure("estimated_size_in_bytes"))
		s.Counter("tripped", stats.figure("tripped"), counter.OfProcess)
	})
	machine(root, node)
	network(root, node)
}

func threadPools(s counter.Section, node tree, facts *nodeFacts) {
	all := node.at("thread_pool")
	for _, name := range pools {
		pool := all.at(name)
		p := s.In(name)
		p.Gauge("threads", pool.figure("threads"))
		p.Gauge("active", pool.figure("active"))
		p.Gauge("queue", pool.figure("queue"))
		p.Gauge("queue_capacity", facts.ThreadPool[name].QueueSize)
		p.Gauge("largest", pool.figure("largest"))
		p.Counter("completed", pool.figure("completed"), counter.OfProcess)
		p.Counter("rejected", pool.figure("rejected"), counter.OfProcess)
	}
}

func indices(root counter.Section, node tree) {
	n := node.at("indices")
	root.Gauge("docs.count", n.at("docs").figure("count"))
	root.Gauge("docs.deleted", n.at("docs").figure("deleted"))
	root.Gauge("store.size.bytes", n.at("store").figure("size_in_bytes"))

	s := root.In("indexing")
	indexing := n.at("indexing")
	s.Counter("docs", indexing.figure("index_total"), counter.OfProcess)
	s.Counter("failed", indexing.figure("index_failed"), counter.OfProcess)
	s.Counter("deleted", indexing.figure("delete_total"), counter.OfProcess)
	s.Counter("time.ms", indexing.figure("index_time_in_millis"), counter.OfProcess)
	s.Counter("throttled.ms", indexing.figure("throttle_time_in_millis"), counter.OfProcess)
	s.Gauge("current", indexing.figure("index_current"))
	if throttled, told := indexing.boolean("is_throttled"); told {
		s.Put("is_throttled", throttled)
	}

	s = root.In("search")
	search := n.at("search")
	s.Counter("query.count", search.figure("query_total"), counter.OfProcess)
	s.Counter("query.time.ms", search.figure("query_time_in_millis"), counter.OfProcess)
	s.Gauge("query.current", search.figure("query_current"))
	s.Counter("fetch.count", search.figure("fetch_total"), counter.OfProcess)
	s.Counter("fetch.time.ms", search.figure("fetch_time_in_millis"), counter.OfProcess)
	s.Gauge("fetch.current", search.figure("fetch_current"))
	s.Gauge("open_contexts", search.figure("open_contexts"))

	s = root.In("merges")
	merges := n.at("merges")
	s.Gauge("current.count", merges.figure("current"))
	s.Gauge("current.docs", merges.figure("current_docs"))
	s.Gauge("current.bytes", merges.figure("current_size_in_bytes"))
	s.Gauge("auto_throttle.bytes", merges.figure("total_auto_throttle_in_bytes"))
	s.Counter("count", merges.figure("total"), counter.OfProcess)
	s.Counter("docs", merges.figure("total_docs"), counter.OfProcess)
	s.Counter("bytes", merges.figure("total_size_in_bytes"), counter.OfProcess)
	s.Counter("time.ms", merges.figure("total_time_in_millis"), counter.OfProcess)
	s.Counter("throttled.ms", merges.figure("total_throttled_time_in_millis"), counter.OfProcess)
	s.Counter("stopped.ms", merges.figure("total_stopped_time_in_millis"), counter.OfProcess)

	s = root.In("refresh")
	refresh := n.at("refresh")
	s.Counter("count", refresh.figure("total"), counter.OfProcess)
	s.Counter("time.ms", refresh.figure("total_time_in_millis"), counter.OfProcess)
	s.Gauge("listeners", refresh.figure("listeners"))

	s = root.In("flush")
	flush := n.at("flush")
	s.Counter("count", flush.figure("total"), counter.OfProcess)
	s.Counter("periodic", flush.figure("periodic"), counter.OfProcess)
	s.Counter("time.ms", flush.figure("total_time_in_millis"), counter.OfProcess)

	s = root.In("segments")
	segments := n.at("segments")
	s.Gauge("count", segments.figure("count"))
	s.Gauge("memory.bytes", segments.figure("memory_in_bytes"))
	s.Gauge("index_writer.bytes", segments.figure("index_writer_memory_in_bytes"))
	s.Gauge("version_map.bytes", segments.figure("version_map_memory_in_bytes"))

	s = root.In("translog")
	translog := n.at("translog")
	s.Gauge("operations", translog.figure("operations"))
	s.Gauge("size.bytes", translog.figure("size_in_bytes"))
	s.Gauge("uncommitted.operations", translog.figure("uncommitted_operations"))
	s.Gauge("uncommitted.size.bytes", translog.figure("uncommitted_size_in_bytes"))

	s = root.In("cache")
	cache(s.In("query"), n.at("query_cache"))
	cache(s.In("request"), n.at("request_cache"))
	cache(s.In("fielddata"), n.at("fielddata"))
}

func cache(s counter.Section, stats tree) {
	s.Gauge("memory.bytes", stats.figure("memory_size_in_bytes"))
	s.Gauge("entries", stats.figure("cache_size"))
	s.Counter("hits", stats.figure("hit_count"), counter.Shrinking)
	s.Counter("misses", stats.figure("miss_count"), counter.Shrinking)
	s.Counter("evictions", stats.figure("evictions"), counter.Shrinking)
}

func pressure(s counter.Section, node tree) {
	memory := node.at("indexing_pressure", "memory")
	current, total := memory.at("current"), memory.at("total")
	s.Gauge("limit.bytes", memory.figure("limit_in_bytes"))
	s.Gauge("current.all.bytes", current.figure("all_in_bytes"))
	s.Gauge("current.coordinating_and_primary.bytes", current.figure("combined_coordinating_and_primary_in_bytes"))
	s.Gauge("current.coordinating.bytes", current.figure("coordinating_in_bytes"))
	s.Gauge("current.primary.bytes", current.figure("primary_in_bytes"))
	s.Gauge("current.replica.bytes", current.figure("replica_in_bytes"))
	s.Counter("rejections.coordinating", total.figure("coordinating_rejections"), counter.OfProcess)
	s.Counter("rejections.primary", total.figure("primary_rejections"), counter.OfProcess)
	s.Counter("rejections.replica", total.figure("replica_rejections"), counter.OfProcess)
	s.Counter("rejections.primary_documents", total.figure("primary_document_rejections"), counter.OfProcess)
}

func jvm(root counter.Section, node tree) {
	counter.EachNamed(node.at("jvm", "gc", "collectors").children(), func(name string, stats tree) {
		s := root.In("gc").In(name)
		s.Counter("count", stats.figure("collection_count"), counter.OfProcess)
		s.Counter("time.ms", stats.figure("collection_time_in_millis"), counter.OfProcess)
	})
	s := root.In("jvm")
	mem := node.at("jvm", "mem")
	s.Gauge("heap.used.bytes", mem.figure("heap_used_in_bytes"))
	s.Share("heap.used.pct", mem.figure("heap_used_percent"))
	s.Gauge("heap.committed.bytes", mem.figure("heap_committed_in_bytes"))
	s.Gauge("heap.max.bytes", mem.figure("heap_max_in_bytes"))
	s.Gauge("non_heap.used.bytes", mem.figure("non_heap_used_in_bytes"))
	s.Gauge("threads", node.at("jvm", "threads").figure("count"))
	counter.EachNamed(mem.at("pools").children(), func(name string, stats tree) {
		p := s.In("pool").In(name)
		p.Gauge("used.bytes", stats.figure("used_in_bytes"))
		p.Gauge("peak.bytes", stats.figure("peak_used_in_bytes"))
		// 0 where the pool has no bound of its own.
		if bound := stats.figure("max_in_bytes"); bound != nil && *bound > 0 {
			p.Gauge("max.bytes", bound)
		}
	})
}

func machine(root counter.Section, node tree) {
	s := root.In("cpu")
	s.Share("os.pct", node.at("os", "cpu").figure("percent"))
	s.Share("process.pct", node.at("process", "cpu").figure("percent"))
	s.Counter("process.time.ms", node.at("process", "cpu").figure("total_in_millis"), counter.OfProcess)
	averages := node.at("os", "cpu", "load_average")
	for minutes, name := range map[string]string{"1m": "1", "5m": "5", "15m": "15"} {
		if load, told := averages.float(minutes); told && load >= 0 && load < math.MaxFloat32 {
			s.Put("load."+name, load)
		}
	}
	root.Gauge("open_files", node.at("process").figure("open_file_descriptors"))
	memory := node.at("os", "mem")
	root.Gauge("memory.total.bytes", memory.figure("total_in_bytes"))
	root.Gauge("memory.free.bytes", memory.figure("free_in_bytes"))
	root.Gauge("memory.used.bytes", memory.figure("used_in_bytes"))

	s = root.In("cgroup")
	cgroup := node.at("os", "cgroup")
	cpu, stat := cgroup.at("cpu"), cgroup.at("cpu", "stat")
	s.Counter("cpu.usage.ns", cgroup.at("cpuacct").figure("usage_nanos"), counter.OfHost)
	s.Gauge("cpu.period.us", cpu.figure("cfs_period_micros"))
	s.Gauge("cpu.quota.us", cpu.figure("cfs_quota_micros"))
	s.Counter("cpu.periods", stat.figure("number_of_elapsed_periods"), counter.OfHost)
	s.Counter("cpu.throttled.periods", stat.figure("number_of_times_throttled"), counter.OfHost)
	s.Counter("cpu.throttled.ns", stat.figure("time_throttled_nanos"), counter.OfHost)
	s.Gauge("memory.usage.bytes", bytesOf(cgroup.at("memory").text("usage_in_bytes")))
	s.Gauge("memory.limit.bytes", bytesOf(cgroup.at("memory").text("limit_in_bytes")))

	s = root.In("fs")
	space, io := node.at("fs", "total"), node.at("fs", "io_stats")
	s.Gauge("total.bytes", space.figure("total_in_bytes"))
	s.Gauge("free.bytes", space.figure("free_in_bytes"))
	s.Gauge("available.bytes", space.figure("available_in_bytes"))
	device(s.In("io"), io.at("total"))
	devices := map[string]tree{}
	for _, stats := range io.list("devices") {
		devices[stats.text("device_name")] = stats
	}
	counter.EachNamed(devices, func(name string, stats tree) { device(s.In("device").In(name), stats) })
}

// device counts since the node's process began, as Elasticsearch tells it.
func device(s counter.Section, stats tree) {
	s.Counter("operations", stats.figure("operations"), counter.OfProcess)
	s.Counter("reads", stats.figure("read_operations"), counter.OfProcess)
	s.Counter("writes", stats.figure("write_operations"), counter.OfProcess)
	s.Counter("read.bytes", times(stats.figure("read_kilobytes"), 1024), counter.OfProcess)
	s.Counter("written.bytes", times(stats.figure("write_kilobytes"), 1024), counter.OfProcess)
	s.Counter("io_time.ms", stats.figure("io_time_in_millis"), counter.OfProcess)
}

func network(root counter.Section, node tree) {
	s := root.In("transport")
	transport, http := node.at("transport"), node.at("http")
	s.Gauge("open", transport.figure("server_open"))
	s.Counter("rx.count", transport.figure("rx_count"), counter.OfProcess)
	s.Counter("rx.bytes", transport.figure("rx_size_in_bytes"), counter.OfProcess)
	s.Counter("tx.count", transport.figure("tx_count"), counter.OfProcess)
	s.Counter("tx.bytes", transport.figure("tx_size_in_bytes"), counter.OfProcess)

	s = root.In("http")
	s.Gauge("open", http.figure("current_open"))
	s.Counter("opened", http.figure("total_opened"), counter.OfProcess)
	if routes := http.at("routes").children(); len(routes) > 0 {
		var requests, responses counter.Figure
		for _, route := range routes {
			requests += valueOf(route.at("requests").figure("total_size_in_bytes"))
			responses += valueOf(route.at("responses").figure("total_size_in_bytes"))
		}
		s.Counter("request.bytes", &requests, counter.OfProcess)
		s.Counter("response.bytes", &responses, counter.OfProcess)
	}
}

func valueOf(figure *counter.Figure) counter.Figure {
	if figure == nil || *figure < 0 {
		return 0
	}
	return *figure
}

func times(figure *counter.Figure, factor counter.Figure) *counter.Figure {
	if figure == nil || *figure > math.MaxInt64/factor {
		return nil
	}
	product := *figure * factor
	return &product
}

// bytesOf is nil for a limit that is none: a cgroup without one tells a number near 2^63, or `max`.
func bytesOf(text string) *counter.Figure {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value >= 1<<62 {
		return nil
	}
	figure := counter.Figure(value)
	return &figure
}
