// Package earl makes reports in the Evaluation and Report Language (EARL 1.0 Schema, W3C
// 2017): what software made of the cases of a suite.
package earl
