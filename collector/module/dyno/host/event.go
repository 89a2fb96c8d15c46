package host

import (
	"time"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/prometheus/procfs"

	"dyno/collector/module/dyno/counter"
)

// reading contains the values of a machine at one time.
type reading struct {
	at       time.Time
	cpu      cpuTimes
	load     []float64
	disks    map[string]diskTimes
	pressure map[string]map[string]procfs.PSILine
	network  *traffic
}

// fieldsOf returns the fields of an event.
func fieldsOf(r reading, before *counter.History) common.MapStr {
	event := before.Begin(counter.Moment{Timestamp: r.at.UnixMilli(), Now: r.at})
	interval := float64(event.Interval)
	processors(event.In("cpu"), r.cpu)
	for i, name := range []string{"load.1", "load.5", "load.15"} {
		if i < len(r.load) {
			event.Put(name, r.load[i])
		}
	}
	var busiest struct {
		name  string
		share float64
	}
	var all work
	counter.EachNamed(r.disks, func(name string, d diskTimes) {
		share, done, known := disk(event.In("disk").In(name), d, interval)
		all.add(done, known)
		if known && (busiest.name == "" || share > busiest.share) {
			busiest.name, busiest.share = name, share
		}
	})
	all.put(event.In("io"))
	if busiest.name != "" {
		event.Put("busiest_disk.name", busiest.name)
		event.Put("busiest_disk.busy.pct", busiest.share)
	}
	for resource, kinds := range r.pressure {
		for kind, p := range kinds {
			s := event.In("pressure").In(resource).In(kind)
			s.Put("avg10.pct", p.Avg10/100)
			s.Put("avg60.pct", p.Avg60/100)
			s.Put("avg300.pct", p.Avg300/100)
			if stalled, known := s.Counter("stalled.us", valueOf(int64(p.Total)), counter.OfHost); known {
				s.Put("pct", atMostOne(float64(stalled)/1000/interval))
			}
		}
	}
	if n := r.network; n != nil {
		s := event.In("network")
		for name, value := range map[string]int64{
			"rx.bytes": n.RxBytes, "rx.packets": n.RxPackets, "rx.errors": n.RxErrors, "rx.dropped": n.RxDropped,
			"tx.bytes": n.TxBytes, "tx.packets": n.TxPackets, "tx.errors": n.TxErrors, "tx.dropped": n.TxDropped,
		} {
			s.Counter(name, valueOf(value), counter.OfHost)
		}
		s.Gauge("capacity.bytes_per_s", valueOf(n.Capacity))
	}
	return event.End()
}

// processors sets the CPU times, and the share of the interval that each of them took.
func processors(s counter.Section, cpu cpuTimes) {
	if cpu.Cores > 0 {
		s.Put("cores", cpu.Cores)
	}
	changes := make(map[string]int64, 8)
	var all int64
	for name, value := range map[string]int64{
		"user": cpu.User, "nice": cpu.Nice, "system": cpu.System, "idle": cpu.Idle, "iowait": cpu.IOWait,
		"irq": cpu.IRQ, "softirq": cpu.SoftIRQ, "steal": cpu.Steal,
	} {
		// The kernel may decrease iowait. With Shrinking, this does not count as a restart.
		if change, known := s.Counter(name+".ms", valueOf(value), counter.Shrinking); known {
			changes[name] = change
			all += change
		}
	}
	if all == 0 {
		return
	}
	for name, change := range changes {
		s.Put(name+".pct", float64(change)/float64(all))
	}
	s.Put("busy.pct", float64(all-changes["idle"]-changes["iowait"])/float64(all))
}

// work is the work of all disks together within an interval. Charts use it to compare machines with different disks.
type work struct {
	reads, writes, readBytes, writtenBytes int64
	known                                  bool
}

func (w *work) add(more work, known bool) {
	if !known {
		return
	}
	w.reads += more.reads
	w.writes += more.writes
	w.readBytes += more.readBytes
	w.writtenBytes += more.writtenBytes
	w.known = true
}

// put sets only changes and no totals, because a total would decrease when a disk is removed.
func (w *work) put(s counter.Section) {
	if !w.known {
		return
	}
	s.Put("reads.change", w.reads)
	s.Put("writes.change", w.writes)
	s.Put("read.bytes.change", w.readBytes)
	s.Put("written.bytes.change", w.writtenBytes)
}

// disk sets the counters of a disk, and the values that are calculated from their changes over the interval (in ms). It returns the busy
// share and the changes.
func disk(s counter.Section, d diskTimes, interval float64) (busy float64, done work, known bool) {
	reads, known := s.Counter("reads", valueOf(d.Reads), counter.OfHost)
	writes, _ := s.Counter("writes", valueOf(d.Writes), counter.OfHost)
	readBytes, _ := s.Counter("read.bytes", valueOf(d.ReadBytes), counter.OfHost)
	writtenBytes, _ := s.Counter("written.bytes", valueOf(d.WriteBytes), counter.OfHost)
	readTime, _ := s.Counter("read_time.ms", valueOf(d.ReadTime), counter.OfHost)
	writeTime, _ := s.Counter("write_time.ms", valueOf(d.WriteTime), counter.OfHost)
	ioTime, _ := s.Counter("io_time.ms", valueOf(d.IOTime), counter.OfHost)
	weighted, _ := s.Counter("weighted_time.ms", valueOf(d.WeightedTime), counter.OfHost)
	s.Gauge("in_flight", valueOf(d.InFlight))
	if !known || interval <= 0 {
		return 0, work{}, false
	}
	s.Put("reads.per_s", float64(reads)*1000/interval)
	s.Put("writes.per_s", float64(writes)*1000/interval)
	s.Put("queue", float64(weighted)/interval)
	busy = atMostOne(float64(ioTime) / interval)
	s.Put("busy.pct", busy)
	mean := func(name string, ms, requests int64) {
		if requests > 0 {
			s.Put(name, float64(ms)/float64(requests))
		}
	}
	mean("await.ms", readTime+writeTime, reads+writes)
	mean("read_await.ms", readTime, reads)
	mean("write_await.ms", writeTime, writes)
	return busy, work{reads: reads, writes: writes, readBytes: readBytes, writtenBytes: writtenBytes}, true
}

// atMostOne limits a share to 1. A share can exceed 1 because the kernel's clock and the collector's clock are read at slightly different
// times.
func atMostOne(share float64) float64 { return min(share, 1) }

func valueOf(value int64) *counter.Value {
	v := counter.Value(value)
	return &v
}
