package host

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prometheus/procfs"
	"github.com/prometheus/procfs/blockdevice"
)

// sectorBytes is the unit of /proc/diskstats. It does not depend on the disk's sector size.
const sectorBytes = 512

// cpuTimes contains CPU times in ms since the machine started, summed over the processors.
type cpuTimes struct {
	User, Nice, System, Idle, IOWait, IRQ, SoftIRQ, Steal int64
	Cores                                                 int64
}

// diskTimes contains counters of one disk since the machine started. Times are in ms.
type diskTimes struct {
	Reads, ReadBytes, ReadTime    int64
	Writes, WriteBytes, WriteTime int64
	InFlight                      int64 // at this moment
	IOTime                        int64 // with at least one request in flight
	WeightedTime                  int64 // sum of the times that each request was in flight
}

// linux reads the files of a machine. `root` is the path at which the collector sees the root directory of the machine: `/`, unless the
// collector runs in a container.
type linux struct{ root string }

func (l linux) path(parts ...string) string {
	return filepath.Join(append([]string{l.root}, parts...)...)
}

func (l linux) read(parts ...string) (string, error) {
	content, err := os.ReadFile(l.path(parts...))
	return string(content), err
}

func (l linux) proc() (procfs.FS, error) { return procfs.NewFS(l.path("proc")) }

func (l linux) cpu() (cpuTimes, error) {
	failed := func(err error) (cpuTimes, error) {
		return cpuTimes{}, fmt.Errorf("reading the processors' times: %w", err)
	}
	proc, err := l.proc()
	if err != nil {
		return failed(err)
	}
	stat, err := proc.Stat()
	if err != nil {
		return failed(err)
	}
	total := stat.CPUTotal
	if total == (procfs.CPUStat{}) {
		return failed(errors.New("/proc/stat has no line `cpu`"))
	}
	ms := func(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }
	return cpuTimes{
		User: ms(total.User), Nice: ms(total.Nice), System: ms(total.System), Idle: ms(total.Idle),
		IOWait: ms(total.Iowait), IRQ: ms(total.IRQ), SoftIRQ: ms(total.SoftIRQ), Steal: ms(total.Steal),
		Cores: int64(len(stat.CPU)),
	}, nil
}

// load returns the load averages over 1, 5 and 15 minutes, or nil if they cannot be read.
func (l linux) load() []float64 {
	proc, err := l.proc()
	if err != nil {
		return nil
	}
	load, err := proc.LoadAvg()
	if err != nil {
		return nil
	}
	return []float64{load.Load1, load.Load5, load.Load15}
}

// disks returns the disks with the given names. Without names, it returns all hardware disks. Loop, RAM, device mapper and RAID devices do
// not count, and neither do partitions.
func (l linux) disks(names []string) (map[string]diskTimes, error) {
	failed := func(err error) (map[string]diskTimes, error) {
		return nil, fmt.Errorf("reading the disks' times: %w", err)
	}
	// Only /proc is used, because /sys may be missing in a container.
	devices, err := blockdevice.NewFS(l.path("proc"), l.path("proc"))
	if err != nil {
		return failed(err)
	}
	stats, err := devices.ProcDiskstats()
	if err != nil {
		return failed(err)
	}
	disks := map[string]diskTimes{}
	for _, d := range stats {
		if !l.wanted(d.DeviceName, names) {
			continue
		}
		disks[d.DeviceName] = diskTimes{
			Reads: int64(d.ReadIOs), ReadBytes: int64(d.ReadSectors) * sectorBytes, ReadTime: int64(d.ReadTicks),
			Writes: int64(d.WriteIOs), WriteBytes: int64(d.WriteSectors) * sectorBytes, WriteTime: int64(d.WriteTicks),
			InFlight: int64(d.IOsInProgress), IOTime: int64(d.IOsTotalTicks), WeightedTime: int64(d.WeightedIOTicks),
		}
	}
	return disks, nil
}

func (l linux) wanted(disk string, names []string) bool {
	if len(names) > 0 {
		return slices.Contains(names, disk)
	}
	for _, virtual := range []string{"loop", "ram", "zram", "sr", "fd", "dm-", "md"} {
		if strings.HasPrefix(disk, virtual) {
			return false
		}
	}
	// Without /sys, only the name distinguishes a disk from its partitions.
	if _, err := os.Stat(l.path("sys", "block")); err != nil {
		return !isPartition(disk)
	}
	_, err := os.Stat(l.path("sys", "block", strings.ReplaceAll(disk, "/", "!"), "device"))
	return err == nil
}

// isPartition decides by the name: sda1, nvme0n1p1 and mmcblk0p2 are partitions.
func isPartition(disk string) bool {
	base := strings.TrimRight(disk, "0123456789")
	if base == disk {
		return false
	}
	if strings.HasPrefix(disk, "nvme") || strings.HasPrefix(disk, "mmcblk") {
		return strings.HasSuffix(base, "p")
	}
	return true
}

// pressures returns the pressure stall information by resource (cpu, io, memory) and kind (some, full). Old kernels do not report it.
func (l linux) pressures() map[string]map[string]procfs.PSILine {
	all := map[string]map[string]procfs.PSILine{}
	proc, err := l.proc()
	if err != nil {
		return all
	}
	for _, resource := range []string{"cpu", "io", "memory"} {
		stats, err := proc.PSIStatsForResource(resource)
		if err != nil {
			continue
		}
		kinds := map[string]procfs.PSILine{}
		for kind, line := range map[string]*procfs.PSILine{"some": stats.Some, "full": stats.Full} {
			if line != nil {
				kinds[kind] = *line
			}
		}
		if len(kinds) > 0 {
			all[resource] = kinds
		}
	}
	return all
}
