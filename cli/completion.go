package cli

import (
	"io"

	"github.com/spf13/cobra"
)

// plainBash defines a function of the bash-completion package, for a minimal bash and for macOS,
// where that package is missing. Unlike the original, it does not complete words with a colon or an
// equals sign.
const plainBash = `
if ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
    _get_comp_words_by_ref()
    {
        words=("${COMP_WORDS[@]}")
        cword=$COMP_CWORD
        cur=${COMP_WORDS[COMP_CWORD]}
        prev=
        if ((COMP_CWORD > 0)); then
            prev=${COMP_WORDS[COMP_CWORD-1]}
        fi
    }
fi
`

// completeInPlainBash makes completion work in a bash without the bash-completion package. Without
// it, each press of tab would print an error there.
func completeInPlainBash(root *cobra.Command) {
	bash, _, err := root.Find([]string{"completion", "bash"})
	if err != nil || bash == root {
		return
	}
	bash.RunE = func(cmd *cobra.Command, _ []string) error {
		out := root.OutOrStdout()
		bare, err := cmd.Flags().GetBool("no-descriptions")
		if err == nil {
			err = root.GenBashCompletionV2(out, !bare)
		}
		if err == nil {
			_, err = io.WriteString(out, plainBash)
		}
		return err
	}
}
