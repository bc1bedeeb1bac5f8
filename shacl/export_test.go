package shacl

// Parameters returns the parameters of the table.
func Parameters() []string {
	var all []string
	for i := range parameters {
		all = append(all, parameters[i].iri)
	}
	return all
}

// Components returns the constraint components, each with the parameter that declares it.
func Components() map[string]string {
	all := map[string]string{}
	for c := range numComponents {
		all[c.iri()] = c.parameter()
	}
	return all
}

// Least is what decides that a result is left out unwritten.
func Least(r *Result) int { return r.least() }
