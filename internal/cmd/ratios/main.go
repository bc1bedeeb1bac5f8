// Command ratios makes a table of how this module compares with other
// implementations: the median over the rounds of one run, own ÷ other.
//
//	ratios FILE.jsonl...
//
// The files hold one measurement a line, as bench prints it. The table goes to
// standard output in Markdown.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
)

// measurement is a line of a file; what else it holds is not needed.
type measurement struct {
	Op       string  `json:"op"`
	Peer     string  `json:"peer"`
	Workload string  `json:"wl"`
	Median   float64 `json:"med_us"`
	Error    string  `json:"error"`
}

// key is what is compared.
type key struct{ op, workload string }

func main() {
	var lines []measurement
	for _, name := range os.Args[1:] {
		more, err := read(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "ratios:", err)
			os.Exit(2)
		}
		lines = append(lines, more...)
	}
	if err := write(os.Stdout, lines); err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(2)
	}
}

func read(name string) ([]measurement, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []measurement
	for s := bufio.NewScanner(f); ; {
		if !s.Scan() {
			return lines, s.Err()
		}
		if strings.TrimSpace(s.Text()) == "" {
			continue
		}
		var m measurement
		if err := json.Unmarshal(s.Bytes(), &m); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		lines = append(lines, m)
	}
}

// write prints a row for each own measurement and each other of the same
// operation on the same workload. Of whole processes ours are named own-COMMAND.
func write(w io.Writer, lines []measurement) error {
	rounds := map[key]map[string][]float64{}
	var order []key
	for _, m := range lines {
		if m.Median <= 0 || m.Error != "" {
			continue
		}
		k := key{m.Op, m.Workload}
		if rounds[k] == nil {
			rounds[k] = map[string][]float64{}
			order = append(order, k)
		}
		rounds[k][m.Peer] = append(rounds[k][m.Peer], m.Median)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `# Performance

Own time ÷ other's time, the medians of the rounds of one run on one machine (%s, %s/%s, %d cores); below 1 is faster. Made by `+"`bench/compare.sh`"+`. The other implementations do less in places: serd expands no names and keeps no dataset.

| operation | workload | own | other | its time | own ÷ other |
|---|---|---|---|---|---|
`, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, k := range order {
		var own, others []string
		for peer := range rounds[k] {
			if peer == "own" || strings.HasPrefix(peer, "own-") {
				own = append(own, peer)
			} else {
				others = append(others, peer)
			}
		}
		slices.Sort(own)
		slices.SortFunc(others, func(a, b string) int { return cmp.Compare(median(rounds[k][a]), median(rounds[k][b])) })
		for _, o := range own {
			for _, other := range others {
				ours, its := median(rounds[k][o]), median(rounds[k][other])
				task := strings.TrimPrefix(strings.TrimPrefix(o, "own"), "-")
				if task != "" && !sameTask(other, task) {
					continue
				}
				fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %.2g |\n",
					strings.TrimSpace(k.op+" "+task), k.workload, micros(ours), other, micros(its), ours/its)
			}
		}
	}
	return b.Flush()
}

// sameTask reports whether a whole process does the task of ours, or nothing
// that has a name and so is a floor.
func sameTask(other, task string) bool {
	if strings.Contains(other, task) {
		return true
	}
	return !slices.ContainsFunc([]string{"parse", "hash", "validate"}, func(t string) bool { return strings.Contains(other, t) })
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func micros(us float64) string {
	switch {
	case us >= 1e6:
		return fmt.Sprintf("%.2f s", us/1e6)
	case us >= 1e4:
		return fmt.Sprintf("%.1f ms", us/1e3)
	case us >= 100:
		return fmt.Sprintf("%.0f µs", us)
	}
	return fmt.Sprintf("%.2f µs", us)
}
