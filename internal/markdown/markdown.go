package markdown

import "strings"

// Block is a fenced code block.
type Block struct {
	Info string // what stands behind the opening fence, such as "sh"
	Text string // the lines between the fences
}

// Blocks returns the code blocks of a page, in order. One that is not closed ends with
// the page.
func Blocks(page string) []Block {
	const fence = "```"
	var out []Block
	open := false
	for line := range strings.Lines(page) {
		info, fenced := strings.CutPrefix(line, fence)
		switch {
		case fenced && open:
			open = false
		case fenced:
			open = true
			out = append(out, Block{Info: strings.TrimSpace(info)})
		case open:
			out[len(out)-1].Text += line
		}
	}
	return out
}

// Texts returns the texts of the blocks with an info string.
func Texts(page, info string) []string {
	var out []string
	for _, b := range Blocks(page) {
		if b.Info == info {
			out = append(out, b.Text)
		}
	}
	return out
}

// Commands returns the lines of the blocks of shell commands, without comments.
func Commands(page string) []string {
	var out []string
	for _, text := range Texts(page, "sh") {
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, " #")
			if line = strings.TrimSpace(line); line != "" {
				out = append(out, line)
			}
		}
	}
	return out
}

// Like reports whether a line is what a page shows, where "..." stands for anything.
func Like(line, shown string) bool {
	parts := strings.Split(shown, "...")
	rest, ok := strings.CutPrefix(line, parts[0])
	if len(parts) == 1 {
		return ok && rest == ""
	}
	for _, part := range parts[1 : len(parts)-1] {
		if ok {
			_, rest, ok = strings.Cut(rest, part)
		}
	}
	return ok && strings.HasSuffix(rest, parts[len(parts)-1])
}
