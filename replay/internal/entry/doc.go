// Package entry holds what the stores of package replay have in common: how a
// message is named within them, and what time it is for them.
package entry
