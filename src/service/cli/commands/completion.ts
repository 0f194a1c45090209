import { UsageError, type Command } from '../arguments.ts';
import { SCRIPTS, type Shell } from '../completion/scripts.ts';
import { readPlaces } from '../completion/words.ts';

/** `help` is the help text of the program, and `load` returns all commands by name. */
export function createCompletion(help: string, load: () => Promise<Readonly<Record<string, Command>>>): Command {
  const shells = Object.keys(SCRIPTS);
  return {
    help: `redflag completion: print a script that completes command lines

  redflag completion ${shells.join('|')}   print the script for this shell

Add one of these lines to the file that your shell reads at its start:

  source <(redflag completion bash)    # ~/.bashrc
  source <(redflag completion zsh)     # ~/.zshrc, after compinit
  redflag completion fish | source     # ~/.config/fish/config.fish
`,
    async run(args) {
      const [shell, ...more] = args;
      if (!isShell(shell) || more.length > 0)
        throw new UsageError(`completion expects ${shells.slice(0, -1).join(', ')} or ${shells.at(-1)}`);
      process.stdout.write(SCRIPTS[shell](readPlaces(help, await load())));
    },
  };
}

function isShell(name: string | undefined): name is Shell {
  return name !== undefined && Object.hasOwn(SCRIPTS, name);
}
