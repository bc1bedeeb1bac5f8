// Package peak measures the memory that something takes at a time. It is for tests alone.
package peak
