package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) completionCommand(root *cobra.Command) *cobra.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "print a completion script for a shell",
		Long: `Prints a script that teaches a shell to complete commands, flags and files.

  bash   source <(rdfproto completion bash)
  zsh    rdfproto completion zsh > "${fpath[1]}/_rdfproto"
  fish   rdfproto completion fish | source

The first line goes into ~/.bashrc, the last into ~/.config/fish/config.fish.
For bash the package bash-completion is needed.`,
		Example:   "  rdfproto completion bash",
		ValidArgs: shells,
		Args:      files(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch strings.Join(args, "") {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "":
				return usageError(cmd, "a shell is missing: one of "+strings.Join(shells, ", "))
			}
			return usageError(cmd, "unknown shell "+quote(args[0])+": one of "+strings.Join(shells, ", "))
		},
	}
}
