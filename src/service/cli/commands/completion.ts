import { command, form, type Command } from '../command.ts';
import { SCRIPTS, type Shell } from '../completion/scripts.ts';
import type { Declaration } from '../declaration.ts';
import { placesOf } from '../completion/places.ts';

/** `program` returns the whole program, with its commands as parts. */
export function createCompletion(program: () => Promise<Declaration>): Command {
  const print = (shell: Shell) =>
    form({
      summary: `print the script for ${shell}`,
      options: {},
      async run() {
        process.stdout.write(SCRIPTS[shell](placesOf(await program())));
      },
    });
  return command({
    name: 'completion',
    title: 'print a script that completes command lines',
    forms: { bash: print('bash'), zsh: print('zsh'), fish: print('fish') },
    notes: `Add one of these lines to the file that your shell reads at its start:

  source <(redflag completion bash)    # ~/.bashrc
  source <(redflag completion zsh)     # ~/.zshrc, after compinit
  redflag completion fish | source     # ~/.config/fish/config.fish
`,
  });
}
