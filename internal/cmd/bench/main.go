// Command bench times one operation of this module on one workload, for a
// comparison with other implementations in the same run:
//
//	bench OP WORKLOAD BUDGET_MS
//
// It reads the workload from the folder $DATA and prints one JSON line with the
// median and minimum time of the operation in microseconds, the number of
// operations timed, the size of the input, and the process's peak memory. An
// unknown operation prints nothing.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"
)

// record is the line that is printed.
type record struct {
	Op       string  `json:"op"`
	Peer     string  `json:"peer"`
	Workload string  `json:"wl"`
	Median   float64 `json:"med_us"`
	Min      float64 `json:"min_us"`
	N        int     `json:"n"`
	Bytes    int     `json:"bytes"`
	Units    int     `json:"units"`
	RSS      float64 `json:"rss_mb"`

	Hash     string `json:"hash,omitempty"`
	Conforms *bool  `json:"conforms,omitempty"`
	Results  *int   `json:"results,omitempty"`
	Error    string `json:"error,omitempty"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: bench OP WORKLOAD BUDGET_MS, with the folder of the workloads in $DATA")
	}
	ms, err := strconv.Atoi(args[2])
	if err != nil || ms <= 0 {
		return fmt.Errorf("the budget must be a positive number of milliseconds, not %q", args[2])
	}
	r := &record{Op: args[0], Peer: "own", Workload: args[1]}
	op, err := prepare(context.Background(), r, os.Getenv("DATA"))
	if err != nil || op == nil {
		return err
	}
	r.time(op, time.Duration(ms)*time.Millisecond)
	r.RSS = peakMB()
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s\n", line)
	return err
}

// time runs op for a third of the budget to warm up and then in batches of
// about a millisecond. The figures are of one op, over the batches. An op that
// fails is timed like one that succeeds: how fast a refusal comes is a figure
// too.
func (r *record) time(op func() error, budget time.Duration) {
	start := time.Now()
	warmUps := 0
	for warmUps == 0 || time.Since(start) < budget/3 {
		if err := op(); err != nil {
			r.Error = err.Error()
		}
		warmUps++
	}
	const batchTime = time.Millisecond
	batch := max(1, int(batchTime*time.Duration(warmUps)/max(1, time.Since(start))))
	var perOp []float64
	for start = time.Now(); len(perOp) == 0 || time.Since(start) < budget*2/3; {
		from := time.Now()
		for range batch {
			_ = op() // its error is in the record already
		}
		perOp = append(perOp, float64(time.Since(from).Nanoseconds())/1e3/float64(batch))
	}
	r.N = len(perOp) * batch
	slices.Sort(perOp)
	r.Min, r.Median = perOp[0], perOp[len(perOp)/2]
}
