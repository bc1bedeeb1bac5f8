// Package policy holds no code. Its test is the import policy of the module,
// as data: which package may import which, what only the edges of the program
// may use, and what the command line must not link. Another test says which fuzz
// targets need not begin with the public texts.
package policy
