package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// bytesPerMegabit is the unit of /sys/class/net/*/speed.
const bytesPerMegabit = 1_000_000 / 8

// traffic is the traffic since the machine started, summed over the selected interfaces.
type traffic struct {
	RxBytes, RxPackets, RxErrors, RxDropped int64
	TxBytes, TxPackets, TxErrors, TxDropped int64
	// Capacity is the capacity of each direction in bytes/s; -1 if unknown.
	Capacity int64
}

// network sums the traffic of the given interfaces. Without names, it leaves out the loopback interface and all interfaces whose traffic to
// other machines also passes another interface: those of containers, bridges, bonds and VLANs.
func (l linux) network(names []string) (traffic, error) {
	proc, err := l.proc()
	if err != nil {
		return traffic{}, fmt.Errorf("reading the network's counters: %w", err)
	}
	interfaces, err := proc.NetDev()
	if err != nil {
		return traffic{}, fmt.Errorf("reading the network's counters: %w", err)
	}
	var sum traffic
	var counted []string
	for name, i := range interfaces {
		if !l.carries(name, names) {
			continue
		}
		sum.RxBytes += int64(i.RxBytes)
		sum.RxPackets += int64(i.RxPackets)
		sum.RxErrors += int64(i.RxErrors)
		sum.RxDropped += int64(i.RxDropped)
		sum.TxBytes += int64(i.TxBytes)
		sum.TxPackets += int64(i.TxPackets)
		sum.TxErrors += int64(i.TxErrors)
		sum.TxDropped += int64(i.TxDropped)
		counted = append(counted, name)
	}
	sum.Capacity = l.capacity(counted)
	return sum, nil
}

func (l linux) carries(name string, names []string) bool {
	if len(names) > 0 {
		return slices.Contains(names, name)
	}
	for _, virtual := range []string{"veth", "docker", "br-", "virbr", "cni", "flannel", "cali", "tun", "tap", "ifb"} {
		if strings.HasPrefix(name, virtual) {
			return false
		}
	}
	return name != "lo" && !l.isStacked(name)
}

// isStacked returns whether an interface is built on others, as a bond or a VLAN is. The kernel then adds a link `lower_NAME` for each
// lower interface, provided that it belongs to the same machine or container.
func (l linux) isStacked(name string) bool {
	entries, err := os.ReadDir(filepath.Join(l.root, "sys", "class", "net", name))
	return err == nil && slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
		return strings.HasPrefix(entry.Name(), "lower_")
	})
}

// capacity returns the sum of the interfaces' speeds in bytes/s. It returns -1 if an interface does not report its speed, as on most
// virtual machines. Interfaces that are down do not count.
func (l linux) capacity(interfaces []string) int64 {
	var sum int64
	for _, name := range interfaces {
		if state, _ := l.read("sys", "class", "net", name, "operstate"); strings.TrimSpace(state) == "down" {
			continue
		}
		content, err := l.read("sys", "class", "net", name, "speed")
		if err != nil {
			return -1
		}
		// An unknown speed is reported as -1, and by old kernels as 2^32-1.
		speed, err := strconv.ParseInt(strings.TrimSpace(content), 10, 32)
		if err != nil || speed <= 0 {
			return -1
		}
		sum += speed * bytesPerMegabit
	}
	if sum == 0 {
		return -1
	}
	return sum
}
