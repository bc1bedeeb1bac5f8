package xpattern

// The bytes that parts of a pattern take, about what they do in Go's engine.
const (
	instruction = 40 // and a character of the pattern, which makes one at most
	oneRange    = 8  // of a class

	enough = 1 << 30 // more than anybody has: what is more counts as this
)

// costs computes what a pattern takes when its classes and its repetitions are
// written out. It must expand nothing itself: what it finds too much was never
// made.
type costs struct {
	fold   bool
	ranges map[item]int // of escapes that were counted
}

// node returns the bytes of a node. States are bounded before, and with them the
// factors of repetitions; see [maxStates].
func (c *costs) node(n *node) int {
	bytes := instruction
	if n.op == opClass {
		bytes += oneRange * c.class(&n.class)
	}
	for _, s := range n.sub {
		bytes += c.node(s)
	}
	if n.op == opRepeat {
		return int(min(int64(bytes)*int64(max(n.min+1, n.max)), enough))
	}
	return min(bytes, enough)
}

// class returns how many ranges are gone through to make a class, at most.
func (c *costs) class(of *class) int {
	ranges, _ := c.expansion(of)
	return ranges
}

// expansion returns how many ranges are gone through to make a class, and how many
// it has then, both at most. What a class that subtracts has is gone through at
// every level.
func (c *costs) expansion(of *class) (through, has int) {
	escapes, plain := map[item]bool(nil), 0
	for _, it := range of.items {
		switch {
		case it.escape == 0:
			plain++
			if c.fold { // a character has three variants at most, and all of them have few
				has += 3 * int(min(it.hi-it.lo+1, mostVariants))
			}
		case !escapes[it]:
			if escapes == nil {
				escapes = map[item]bool{}
			}
			escapes[it] = true
			through += c.escape(it)
		}
	}
	has = min(has, mostVariants) + plain + through
	through = has + 1
	if of.minus != nil {
		minus, left := c.expansion(of.minus)
		has += left
		through += minus + has
	}
	return through, has
}

// mostVariants is more than the characters that have case variants.
const mostVariants = 3000

func (c *costs) escape(it item) int {
	if it.escape != 'p' && it.escape != 'P' && it.escape != 'w' && it.escape != 'W' && it.escape != 'd' && it.escape != 'D' {
		return it.count()
	}
	n, ok := c.ranges[it]
	if !ok {
		if c.ranges == nil {
			c.ranges = map[item]int{}
		}
		n = it.count()
		c.ranges[it] = n
	}
	return n
}
