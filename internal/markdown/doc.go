// Package markdown reads the code blocks of Markdown pages, for the tests that run what
// a page tells its reader to run. It knows fences of three backticks at the beginning of
// a line (CommonMark 0.31, section 4.5) and nothing else of Markdown.
package markdown
