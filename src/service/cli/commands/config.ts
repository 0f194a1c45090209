import { withoutPassword } from '../../data-folder/address.ts';
import { KEY_VARIABLES, type KeyFiles, type KeyName } from '../../data-folder/key-files.ts';
import { GIVEN_SECRET, SECRET_TEXT_VARIABLE } from '../../data-folder/secret-variable.ts';
import { checkKeyFiles } from '../../data-folder/store-keys.ts';
import type { Command } from '../command.ts';
import { asUsage, UsageError } from '../errors.ts';
import { formatHelp } from '../help.ts';
import { JSON_OUTPUT } from '../operator-options.ts';
import { formatTable, printAnswer, printWarnings } from '../output.ts';
import { SERVE_OPTIONS } from '../serve-options.ts';
import { readServeSettings, type ServeSettings } from '../serve-settings.ts';
import { formatList, type Option } from '../option.ts';
import type { Origin } from '../settings/sources.ts';

interface ShownSetting {
  readonly name: string;
  /** Without passwords; null if nothing sets it. */
  readonly value: unknown;
  readonly from: Origin;
  /** The option or variable that sets it. */
  readonly source: string;
}

const CONFIG = {
  name: 'config',
  title: 'validate the settings of redflag serve',
  forms: {
    check: {
      summary:
        'validate the options and the variables REDFLAG_*, and show each setting with where it comes from: an option, a variable or the default. Reads secret and pepper, and shows the paths of their files. Passwords and the secret are not shown',
      options: JSON_OUTPUT,
      further: SERVE_OPTIONS,
    },
  },
  notes: `Takes all options of redflag serve. Starts nothing and changes nothing. Exits with 2 if a setting is
invalid.
`,
};

export const config: Command = {
  ...CONFIG,
  help: formatHelp(CONFIG),
  async run(args) {
    const settings = await asUsage(() => readServeSettings(args, process.env, ['json']));
    if (settings.positionals.join(' ') !== 'check')
      throw new UsageError('config expects check; see redflag config --help');
    printWarnings(settings.warnings);
    const files = await asUsage(() => checkKeyFiles(settings.values.data));
    printAnswer([...show(settings), ...showKeyFiles(files)], settings.flags.has('json'), format);
  },
};

function show({ values, sources, address }: ServeSettings): ShownSetting[] {
  // The store follows from the data folder if nothing sets it.
  const effective: Readonly<Record<string, unknown>> = { ...values, store: address };
  return Object.entries<Option>(SERVE_OPTIONS).map(([name, { kind, isAddress }]) => {
    const { text, from, label } = sources[name as keyof typeof sources];
    const value = kind === 'text' && !isAddress ? text : effective[name];
    const shown = isAddress && typeof value === 'string' ? withoutPassword(value) : value;
    return { name, value: shown ?? null, from, source: from === 'default' ? 'default' : label };
  });
}

/** The files have variables, but no options, so that each command finds the same files. A secret is never shown. */
function showKeyFiles(files: KeyFiles): ShownSetting[] {
  return Object.entries(files).map(([name, value]) => {
    if (name === 'secret' && GIVEN_SECRET !== undefined)
      return { name: 'secret-file', value: null, from: 'variable', source: SECRET_TEXT_VARIABLE };
    const variable = KEY_VARIABLES[name as KeyName];
    const source = process.env[variable] ? ({ from: 'variable', source: variable } as const) : BY_DEFAULT;
    return { name: `${name}-file`, value, ...source };
  });
}

const BY_DEFAULT = { from: 'default', source: 'default' } as const;

function format(settings: readonly ShownSetting[]): string {
  const rows = settings.map(({ name, value, source }) => [name, formatValue(value), source]);
  return formatTable([['SETTING', 'VALUE', 'FROM'], ...rows]);
}

function formatValue(value: unknown): string {
  if (value === null) return '-';
  return typeof value === 'object' ? formatList(value) : String(value);
}
