package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseRepeats makes the flags of a tree of commands refuse a second value, but for those
// that are lists. The last of two pins, instants or profiles would be taken in silence
// otherwise, whichever of them was meant.
func refuseRepeats(cmd *cobra.Command) {
	guard := func(f *pflag.Flag) {
		switch f.Value.(type) {
		case pflag.SliceValue, limitFlag, *onceValue:
		default:
			f.Value = &onceValue{Value: f.Value}
		}
	}
	cmd.Flags().VisitAll(guard)
	cmd.PersistentFlags().VisitAll(guard)
	for _, c := range cmd.Commands() {
		refuseRepeats(c)
	}
}

// refuseTogether makes the commands of a tree say of flags that exclude each other what they
// say of other wrong calls. Cobra asks the same afterwards.
func refuseTogether(cmd *cobra.Command) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := cmd.ValidateFlagGroups(); err != nil {
			return usageError(cmd, err.Error())
		}
		return nil
	}
	for _, c := range cmd.Commands() {
		refuseTogether(c)
	}
}

// refuseEmpty makes the flags of a tree of commands that take a text, or a list of texts,
// refuse an empty one. It comes of a variable of a shell that is not set, and would turn
// --trust "$STORE" into none at all, with the check that it stands for.
func refuseEmpty(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		list, isList := f.Value.(pflag.SliceValue)
		switch {
		case isList:
			f.Value = filledList{filledValue{f.Value}, list}
			if len(list.GetSlice()) == 0 {
				f.DefValue = "" // which the help of a list that it does not know would show
			}
		case f.Value.Type() == "string":
			f.Value = filledValue{f.Value}
		}
	})
	for _, c := range cmd.Commands() {
		refuseEmpty(c)
	}
}

// filledValue is the value of a flag that is not empty.
type filledValue struct{ pflag.Value }

// Set sets the value, unless it is empty.
func (v filledValue) Set(s string) error {
	if s == "" {
		return errors.New("expected a value, found an empty one")
	}
	return v.Value.Set(s)
}

// filledList is the value of a flag that may be repeated, each time with one that is not
// empty.
type filledList struct {
	filledValue
	pflag.SliceValue
}

// completeFlag teaches the shell the values that a flag can have.
func completeFlag(cmd *cobra.Command, flag string, values ...string) {
	// It fails only for a flag that is not there or is registered twice.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// onceValue is the value of a flag that is given once.
type onceValue struct {
	pflag.Value
	given bool
}

var errRepeated = errors.New("given more than once, expected one value")

// Set sets the value and refuses to set it again.
func (v *onceValue) Set(s string) error {
	if v.given {
		return errRepeated
	}
	v.given = true
	return v.Value.Set(s)
}

// flagText says what is wrong with a flag.
func flagText(err error) string {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err.Error()
	}
	name := "--" + invalid.GetFlag().Name
	if errors.Is(err, errRepeated) {
		return name + ": " + errRepeated.Error()
	}
	switch invalid.GetFlag().Value.Type() {
	case "bool":
		return name + " takes no value, found " + quote(invalid.GetValue())
	case "int":
		return name + ": expected a number, found " + quote(invalid.GetValue())
	}
	return name + ": " + invalid.Unwrap().Error()
}
