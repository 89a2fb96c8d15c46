package node

import "dyno/collector/module/dyno/counter"

// indices sets the metrics of the node's shards.
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
	if throttled, known := indexing.boolean("is_throttled"); known {
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

// pressure sets the indexing pressure: memory of the documents that are being indexed, and rejections.
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
