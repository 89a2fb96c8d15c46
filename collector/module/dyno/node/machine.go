package node

import (
	"math"

	"dyno/collector/module/dyno/counter"
)

// machine sets the metrics of the machine that the node itself reports: processors, memory, cgroup, disks.
func machine(root counter.Section, node tree) {
	s := root.In("cpu")
	s.Share("os.pct", node.at("os", "cpu").number("percent"))
	s.Share("process.pct", node.at("process", "cpu").number("percent"))
	s.Counter("process.time.ms", node.at("process", "cpu").number("total_in_millis"), counter.OfProcess)
	averages := node.at("os", "cpu", "load_average")
	for minutes, name := range map[string]string{"1m": "1", "5m": "5", "15m": "15"} {
		if load, known := averages.float(minutes); known && load >= 0 && load < math.MaxFloat32 {
			s.Put("load."+name, load)
		}
	}
	root.Gauge("open_files", node.at("process").number("open_file_descriptors"))
	memory := node.at("os", "mem")
	root.Gauge("memory.total.bytes", memory.number("total_in_bytes"))
	root.Gauge("memory.free.bytes", memory.number("free_in_bytes"))
	root.Gauge("memory.used.bytes", memory.number("used_in_bytes"))

	s = root.In("cgroup")
	cgroup := node.at("os", "cgroup")
	cpu, stat := cgroup.at("cpu"), cgroup.at("cpu", "stat")
	s.Counter("cpu.usage.ns", cgroup.at("cpuacct").number("usage_nanos"), counter.OfHost)
	s.Gauge("cpu.period.us", cpu.number("cfs_period_micros"))
	s.Gauge("cpu.quota.us", cpu.number("cfs_quota_micros"))
	s.Counter("cpu.periods", stat.number("number_of_elapsed_periods"), counter.OfHost)
	s.Counter("cpu.throttled.periods", stat.number("number_of_times_throttled"), counter.OfHost)
	s.Counter("cpu.throttled.ns", stat.number("time_throttled_nanos"), counter.OfHost)
	s.Gauge("memory.usage.bytes", bytesOf(cgroup.at("memory").text("usage_in_bytes")))
	s.Gauge("memory.limit.bytes", bytesOf(cgroup.at("memory").text("limit_in_bytes")))

	s = root.In("fs")
	space, io := node.at("fs", "total"), node.at("fs", "io_stats")
	s.Gauge("total.bytes", space.number("total_in_bytes"))
	s.Gauge("free.bytes", space.number("free_in_bytes"))
	s.Gauge("available.bytes", space.number("available_in_bytes"))
	device(s.In("io"), io.at("total"))
	devices := map[string]tree{}
	for _, stats := range io.list("devices") {
		devices[stats.text("device_name")] = stats
	}
	counter.EachNamed(devices, func(name string, stats tree) { device(s.In("device").In(name), stats) })
}

// device sets the I/O counters of one device, or of all devices together. Elasticsearch counts from the start of the node's process.
func device(s counter.Section, stats tree) {
	s.Counter("operations", stats.number("operations"), counter.OfProcess)
	s.Counter("reads", stats.number("read_operations"), counter.OfProcess)
	s.Counter("writes", stats.number("write_operations"), counter.OfProcess)
	s.Counter("read.bytes", times(stats.number("read_kilobytes"), 1024), counter.OfProcess)
	s.Counter("written.bytes", times(stats.number("write_kilobytes"), 1024), counter.OfProcess)
	s.Counter("io_time.ms", stats.number("io_time_in_millis"), counter.OfProcess)
}

// network sets the traffic with other nodes (transport) and with clients (HTTP).
func network(root counter.Section, node tree) {
	s := root.In("transport")
	transport, http := node.at("transport"), node.at("http")
	s.Gauge("open", transport.number("server_open"))
	s.Counter("rx.count", transport.number("rx_count"), counter.OfProcess)
	s.Counter("rx.bytes", transport.number("rx_size_in_bytes"), counter.OfProcess)
	s.Counter("tx.count", transport.number("tx_count"), counter.OfProcess)
	s.Counter("tx.bytes", transport.number("tx_size_in_bytes"), counter.OfProcess)

	s = root.In("http")
	s.Gauge("open", http.number("current_open"))
	s.Counter("opened", http.number("total_opened"), counter.OfProcess)
	if routes := http.at("routes").children(); len(routes) > 0 {
		var requests, responses counter.Value
		for _, route := range routes {
			requests += valueOf(route.at("requests").number("total_size_in_bytes"))
			responses += valueOf(route.at("responses").number("total_size_in_bytes"))
		}
		s.Counter("request.bytes", &requests, counter.OfProcess)
		s.Counter("response.bytes", &responses, counter.OfProcess)
	}
}
