// Command ratios writes how this module compares with other implementations, and
// how its costs grow with the size of the input:
//
//	ratios [-date DATE] [-machine WORDS] FILE.jsonl...
//	ratios -chart FILE.jsonl
//
// The files hold one measurement a line, as bench prints it. The first form
// writes Markdown to standard output, the second a chart of growth as SVG.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	date := flag.String("date", "", "when the measurements were made")
	machine := flag.String("machine", "", "what they were made on, in words")
	chart := flag.Bool("chart", false, "write a chart of growth")
	flag.Parse()
	var lines []measurement
	for _, name := range flag.Args() {
		more, err := read(name)
		if err != nil {
			fail(err)
		}
		lines = append(lines, more...)
	}
	var out bytes.Buffer
	if *chart {
		if err := writeChart(&out, lines); err != nil {
			fail(err)
		}
	} else {
		writeReport(&out, lines, *date, *machine)
	}
	if _, err := out.WriteTo(os.Stdout); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "ratios:", err)
	os.Exit(2)
}

// measurement is a line of a file; what else it holds is not needed.
type measurement struct {
	Op       string  `json:"op"`
	Peer     string  `json:"peer"`
	Workload string  `json:"wl"`
	Median   float64 `json:"med_us"`
	Units    int     `json:"units"`
	RSS      float64 `json:"rss_mb"`
	Error    string  `json:"error"`
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
		if m.Op == "c14n-raised" { // of the others, whose limits are as high
			m.Op, m.Peer = "c14n", m.Peer+"-raised"
		}
		if m.Peer == "own" && strings.Contains(m.Error, "limit") { // how soon it comes is a figure too
			m.Peer, m.Error = "own-refused", ""
		}
		lines = append(lines, m)
	}
}
