package host

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/esleg/eslegclient"
	"github.com/elastic/beats/v7/metricbeat/mb"
	mbtest "github.com/elastic/beats/v7/metricbeat/mb/testing"

	"dyno/collector/module/dyno/counter"
	"dyno/collector/module/dyno/dynotest"
)

func recorded(t *testing.T, name string, at time.Time) reading {
	t.Helper()
	machine := linux{root: filepath.Join("_meta", "testdata", name)}
	cpu, err := machine.cpu()
	require.NoError(t, err)
	disks, err := machine.disks(nil)
	require.NoError(t, err)
	network, err := machine.network(nil)
	require.NoError(t, err)
	return reading{at: at, cpu: cpu, load: machine.load(), disks: disks, pressure: machine.pressures(), network: &network}
}

func TestFieldsOfARecordedMachine(t *testing.T) {
	var history counter.History
	start := time.Now()
	first := fieldsOf(recorded(t, "first", start), &history)
	second := fieldsOf(recorded(t, "second", start.Add(time.Second)), &history)
	for _, fields := range []common.MapStr{first, second} {
		assert.Empty(t, dynotest.Undocumented(t, Fields, common.MapStr{"host": fields}))
	}
	assert.NotContains(t, first, "interval")
	flat := second.Flatten()
	shares := 0.0
	for _, name := range []string{"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"} {
		shares += flat["cpu."+name+".pct"].(float64)
	}
	assert.InDelta(t, 1, shares, 1e-9)
	assert.EqualValues(t, 2, flat["cpu.cores"])
	assert.Equal(t, "vda", flat["busiest_disk.name"])
	assert.Positive(t, flat["disk.vda.await.ms"])
	// 200 MB were written to the disk between the two recordings.
	assert.GreaterOrEqual(t, flat["disk.vda.written.bytes.change"], int64(200<<20))
	assert.Contains(t, flat, "pressure.io.some.pct")
	assert.EqualValues(t, 10e9/8, flat["network.capacity.bytes_per_s"])
}

func TestTheCapacityOfTheNetwork(t *testing.T) {
	for _, test := range []struct {
		title string
		// Speeds by interface. The file of a speed "" cannot be read.
		speeds map[string]string
		down   string
		names  []string
		want   int64 // -1: unknown
	}{
		{title: "is the sum of its interfaces", speeds: map[string]string{"eth0": "1000", "eth1": "10000"}, want: 1_375_000_000},
		{title: "is that of the named interfaces", speeds: map[string]string{"eth0": "1000", "eth1": "-1"}, names: []string{"eth0"}, want: 125_000_000},
		{title: "omits an interface without a cable", speeds: map[string]string{"eth0": "1000", "eth1": "-1"}, down: "eth1", want: 125_000_000},
		{title: "counts the slow ones too", speeds: map[string]string{"eth0": "10"}, want: 1_250_000},
		{title: "ignores virtual interfaces", speeds: map[string]string{"eth0": "1000", "docker0": ""}, want: 125_000_000},
		{title: "is unknown if one reports -1", speeds: map[string]string{"eth0": "1000", "eth1": "-1"}, want: -1},
		{title: "is unknown if one reports 2^32-1", speeds: map[string]string{"eth0": "4294967295"}, want: -1},
		{title: "is unknown if one cannot be read", speeds: map[string]string{"eth0": "1000", "eth1": ""}, want: -1},
		{title: "is unknown if one reports an invalid value", speeds: map[string]string{"eth0": "fast"}, want: -1},
		{title: "is unknown if all are down", speeds: map[string]string{"eth0": "1000"}, down: "eth0", want: -1},
		{title: "is unknown without interfaces", speeds: map[string]string{}, want: -1},
	} {
		t.Run(test.title, func(t *testing.T) {
			machine := linux{root: t.TempDir()}
			var table strings.Builder
			table.WriteString(netDevHead)
			for name, speed := range test.speeds {
				fmt.Fprintf(&table, "%6s:%s\n", name, strings.Repeat(" 0", 16))
				if speed != "" {
					write(t, machine, speed+"\n", "sys", "class", "net", name, "speed")
				}
				if name == test.down {
					write(t, machine, "down\n", "sys", "class", "net", name, "operstate")
				}
			}
			write(t, machine, table.String(), "proc", "net", "dev")
			found, err := machine.network(test.names)
			require.NoError(t, err)
			assert.Equal(t, test.want, found.Capacity)
		})
	}
}

// netDevHead is the head of /proc/net/dev.
const netDevHead = "Inter-|   Receive  |  Transmit\n face |bytes packets errs\n"

func write(t *testing.T, machine linux, content string, path ...string) {
	t.Helper()
	file := filepath.Join(append([]string{machine.root}, path...)...)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
}

func TestTrafficThatPassesTwoInterfacesCountsOnce(t *testing.T) {
	machine := linux{root: t.TempDir()}
	line := ": 7" + strings.Repeat(" 0", 15) + "\n"
	write(t, machine, netDevHead+"bond0"+line+"eth0"+line+"eth1"+line+"lo"+line, "proc", "net", "dev")
	write(t, machine, "", "sys", "class", "net", "bond0", "lower_eth0")
	found, err := machine.network(nil)
	require.NoError(t, err)
	assert.EqualValues(t, 14, found.RxBytes)
	found, err = machine.network([]string{"bond0"})
	require.NoError(t, err)
	assert.EqualValues(t, 7, found.RxBytes)
}

func TestDiskFieldsFollowFromTheChanges(t *testing.T) {
	var history counter.History
	start := time.Now()
	at := func(s int, d diskTimes) common.MapStr {
		return fieldsOf(reading{at: start.Add(time.Duration(s) * time.Second), disks: map[string]diskTimes{"sda": d}}, &history)
	}
	at(0, diskTimes{})
	flat := at(2, diskTimes{
		Reads: 100, ReadBytes: 4096, ReadTime: 300, Writes: 300, WriteTime: 500, IOTime: 1500, WeightedTime: 3000, InFlight: 2,
	}).Flatten()
	for name, want := range map[string]float64{
		"reads.per_s": 50, "writes.per_s": 150, "await.ms": 2, "read_await.ms": 3, "queue": 1.5, "busy.pct": 0.75,
	} {
		assert.InDelta(t, want, flat["disk.sda."+name], 1e-9, name)
	}
	assert.EqualValues(t, 4096, flat["io.read.bytes.change"])
	assert.EqualValues(t, 300, flat["io.writes.change"])
}

func TestDisksTogetherHaveChangesOnly(t *testing.T) {
	var history counter.History
	start := time.Now()
	at := func(s int, disks map[string]diskTimes) common.MapStr {
		return fieldsOf(reading{at: start.Add(time.Duration(s) * time.Second), disks: disks}, &history).Flatten()
	}
	assert.NotContains(t, at(0, map[string]diskTimes{"a": {WriteBytes: 10}, "b": {WriteBytes: 1000}}), "io.written.bytes.change")
	both := at(1, map[string]diskTimes{"a": {WriteBytes: 30}, "b": {WriteBytes: 1500}})
	assert.EqualValues(t, 520, both["io.written.bytes.change"])
	// Removing a disk does not decrease the sums.
	one := at(2, map[string]diskTimes{"a": {WriteBytes: 31}})
	assert.EqualValues(t, 1, one["io.written.bytes.change"])
}

func TestOnlyRealDisksUnlessNamed(t *testing.T) {
	machine := linux{root: filepath.Join("_meta", "testdata", "first")}
	disks, err := machine.disks(nil)
	require.NoError(t, err)
	assert.Len(t, disks, 1)
	assert.Contains(t, disks, "vda")
	disks, err = machine.disks([]string{"loop0"})
	require.NoError(t, err)
	assert.Len(t, disks, 1)
	for name, partition := range map[string]bool{
		"sda": false, "sda1": true, "nvme0n1": false, "nvme0n1p2": true, "mmcblk0": false, "mmcblk0p1": true, "vdb": false,
	} {
		assert.Equal(t, partition, isPartition(name), name)
	}
}

func TestAMachineWithoutData(t *testing.T) {
	machine := linux{root: t.TempDir()}
	_, err := machine.cpu()
	assert.Error(t, err)
	assert.Empty(t, machine.pressures())
	assert.Empty(t, machine.load())
}

func TestFetchOnThisMachine(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/_cluster/state/version":
			_, _ = w.Write([]byte(`{"cluster_name":"c","cluster_uuid":"u"}`))
		default:
			_, _ = w.Write([]byte(`{"nodes":{"b":{"name":"two","ip":"127.0.0.1"},"a":{"name":"one","ip":"127.0.0.1"},"x":{"name":"far","ip":"192.0.2.1"}}}`))
		}
	}))
	defer server.Close()
	metricset := metricSet(t, "/", server.URL)
	var event mb.Event
	for range 2 {
		event = fetch(t, metricset)
		time.Sleep(50 * time.Millisecond)
	}
	assert.Empty(t, dynotest.Undocumented(t, Fields, common.MapStr{"host": event.MetricSetFields}))
	assert.Equal(t, common.MapStr{
		"cluster": common.MapStr{"id": "u", "name": "c"},
		"node":    common.MapStr{"id": []string{"a", "b"}, "name": []string{"one", "two"}},
	}, event.RootFields["elasticsearch"])
	if flag.Lookup("data").Value.String() == "true" {
		writeData(t, server.URL)
	}
}

func metricSet(t *testing.T, hostfs, elasticsearch string) mb.ReportingMetricSetV2Error {
	t.Helper()
	return mbtest.NewReportingMetricSetV2Error(t, map[string]any{
		"module": "dyno", "metricsets": []string{"host"}, "hostfs": hostfs, "elasticsearch.hosts": []string{elasticsearch},
	})
}

func fetch(t *testing.T, metricset mb.ReportingMetricSetV2Error) mb.Event {
	t.Helper()
	events, errs := mbtest.ReportingFetchV2Error(metricset)
	require.Empty(t, errs)
	require.Len(t, events, 1)
	return events[0]
}

// writeData creates _meta/data.json from the recorded machine, because it was busier than the one that runs the tests.
func writeData(t *testing.T, elasticsearch string) {
	t.Helper()
	hostfs := filepath.Join(t.TempDir(), "hostfs")
	metricset := metricSet(t, hostfs, elasticsearch)
	var event mb.Event
	for _, name := range []string{"first", "second"} {
		folder, err := filepath.Abs(filepath.Join("_meta", "testdata", name))
		require.NoError(t, err)
		_ = os.Remove(hostfs)
		require.NoError(t, os.Symlink(folder, hostfs))
		event = fetch(t, metricset)
		// The time between the two recordings: 43 ticks of two processors.
		time.Sleep(215 * time.Millisecond)
	}
	event.RootFields["host"] = common.MapStr{"name": "db1", "hostname": "db1"}
	fields := mbtest.StandardizeEvent(metricset, event, mb.AddMetricSetInfo).Fields
	content, err := json.MarshalIndent(fields, "", "    ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join("_meta", "data.json"), append(content, '\n'), 0o644))
}

func TestNeighboursAreFoundByAddressOrName(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"cluster_uuid":"u","nodes":{"a":{"name":"by address","ip":"10.0.0.5"},
			"b":{"name":"by name","ip":"10.0.0.6","host":"DB1"},"c":{"name":"elsewhere","ip":"10.0.0.7","host":"db2"}}}`))
	}))
	defer server.Close()
	clients, err := eslegclient.NewClients(common.MustNewConfigFrom(map[string]any{"hosts": []string{"http://127.0.0.1:1", server.URL}}), "test")
	require.NoError(t, err)
	found, err := findNeighbours(clients, "db1", map[netip.Addr]bool{netip.MustParseAddr("10.0.0.5"): true})
	require.NoError(t, err)
	assert.Equal(t, []string{"by address", "by name"}, found.names)
}
