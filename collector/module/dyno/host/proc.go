package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// tick is the unit of /proc/stat: USER_HZ, 100 on every Linux.
const msPerTick = 10

// sectorBytes is the unit of /proc/diskstats, whatever the disk's own sectors.
const sectorBytes = 512

// cpuTimes are in ms, summed over the processors, since the machine started.
type cpuTimes struct {
	User, Nice, System, Idle, IOWait, IRQ, SoftIRQ, Steal int64
	Cores                                                 int64
}

// diskTimes are of one disk since the machine started; times in ms.
type diskTimes struct {
	Reads, ReadBytes, ReadTime    int64
	Writes, WriteBytes, WriteTime int64
	InFlight                      int64 // of this moment
	IOTime                        int64 // while at least one request was there
	WeightedTime                  int64 // the sum over the requests of the time that each was there
}

type pressure struct {
	Avg10, Avg60, Avg300 float64 // percent
	Total                int64   // µs
}

// linux reads a machine's files below root, `/` unless the collector is in a container.
type linux struct{ root string }

func (l linux) read(path ...string) (string, error) {
	content, err := os.ReadFile(filepath.Join(append([]string{l.root}, path...)...))
	return string(content), err
}

// numbers of the fields of a line; what is none counts as 0.
func numbers(fields []string) []int64 {
	all := make([]int64, len(fields))
	for i, field := range fields {
		all[i], _ = strconv.ParseInt(field, 10, 64)
	}
	return all
}

func (l linux) cpu() (cpuTimes, error) {
	content, err := l.read("proc", "stat")
	if err != nil {
		return cpuTimes{}, fmt.Errorf("reading the processors' times: %w", err)
	}
	var times cpuTimes
	found := false
	for line := range strings.Lines(content) {
		fields := strings.Fields(line)
		if len(fields) < 9 || !strings.HasPrefix(fields[0], "cpu") {
			continue
		}
		if fields[0] != "cpu" {
			times.Cores++
			continue
		}
		found = true
		n := numbers(fields[1:9])
		for i, into := range []*int64{&times.User, &times.Nice, &times.System, &times.Idle, &times.IOWait, &times.IRQ, &times.SoftIRQ, &times.Steal} {
			*into = n[i] * msPerTick
		}
	}
	if !found {
		return cpuTimes{}, errors.New("reading the processors' times: /proc/stat has no line `cpu`")
	}
	return times, nil
}

// load are the averages over 1, 5 and 15 minutes.
func (l linux) load() (averages []float64) {
	content, err := l.read("proc", "loadavg")
	if err != nil {
		return nil
	}
	for _, field := range strings.Fields(content) {
		value, err := strconv.ParseFloat(field, 64)
		if err != nil || len(averages) == 3 {
			break
		}
		averages = append(averages, value)
	}
	return averages
}

// disks are those of the given names, or the real ones: whole devices with hardware behind, which loop, RAM, device
// mapper and RAID devices, and partitions, are not. Where /sys cannot be read, what looks like them by name is left out.
func (l linux) disks(names []string) (map[string]diskTimes, error) {
	content, err := l.read("proc", "diskstats")
	if err != nil {
		return nil, fmt.Errorf("reading the disks' times: %w", err)
	}
	disks := map[string]diskTimes{}
	for line := range strings.Lines(content) {
		fields := strings.Fields(line)
		if len(fields) < 14 || !l.wanted(fields[2], names) {
			continue
		}
		n := numbers(fields[3:14])
		disks[fields[2]] = diskTimes{
			Reads: n[0], ReadBytes: n[2] * sectorBytes, ReadTime: n[3],
			Writes: n[4], WriteBytes: n[6] * sectorBytes, WriteTime: n[7],
			InFlight: n[8], IOTime: n[9], WeightedTime: n[10],
		}
	}
	return disks, nil
}

func (l linux) wanted(disk string, names []string) bool {
	if len(names) > 0 {
		for _, name := range names {
			if name == disk {
				return true
			}
		}
		return false
	}
	for _, virtual := range []string{"loop", "ram", "zram", "sr", "fd", "dm-", "md"} {
		if strings.HasPrefix(disk, virtual) {
			return false
		}
	}
	if _, err := os.Stat(filepath.Join(l.root, "sys", "block")); err != nil {
		return !isPartition(disk)
	}
	_, err := os.Stat(filepath.Join(l.root, "sys", "block", strings.ReplaceAll(disk, "/", "!"), "device"))
	return err == nil
}

// isPartition by name: sda1, nvme0n1p1, mmcblk0p2.
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

// pressures by resource (cpu, io, memory) and kind (some, full); none where the kernel does not tell.
func (l linux) pressures() map[string]map[string]pressure {
	all := map[string]map[string]pressure{}
	for _, resource := range []string{"cpu", "io", "memory"} {
		content, err := l.read("proc", "pressure", resource)
		if err != nil {
			continue
		}
		kinds := map[string]pressure{}
		for line := range strings.Lines(content) {
			fields := strings.Fields(line)
			if len(fields) < 5 || fields[0] != "some" && fields[0] != "full" {
				continue
			}
			var p pressure
			for _, field := range fields[1:] {
				name, value, _ := strings.Cut(field, "=")
				number, err := strconv.ParseFloat(value, 64)
				if err != nil {
					continue
				}
				switch name {
				case "avg10":
					p.Avg10 = number
				case "avg60":
					p.Avg60 = number
				case "avg300":
					p.Avg300 = number
				case "total":
					p.Total, _ = strconv.ParseInt(value, 10, 64)
				}
			}
			kinds[fields[0]] = p
		}
		if len(kinds) > 0 {
			all[resource] = kinds
		}
	}
	return all
}
