/** What the samples of the protocol page are made of. Texts are inserted as literals of the language. */
export interface SampleValues {
  /** Public base address, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly kind: string;
  /** The hashed identifier: 40 hex characters. */
  readonly hash: string;
  /** An offence type of the service. */
  readonly type: string;
  readonly text: string;
  /** What a report returned: 16 hex characters. */
  readonly deletionCode: string;
}

/** The languages, by the name in their addresses. */
export const LANGUAGES = { curl: 'curl', php: 'PHP', python: 'Python', typescript: 'TypeScript' } as const;
export type Language = keyof typeof LANGUAGES;
export type SampleAction = 'query' | 'report' | 'delete';

/** In place of what the visitor has not typed. */
export const PLACEHOLDERS = {
  apiKey: '<API key>',
  kind: 'email',
  hash: '<40 hex characters>',
  text: 'Paid with a stolen card',
  deletionCode: '<deletion code>',
} as const;

const SEVERITY = 5;

/** Returns a program that does one action with these values. */
export function toSample(language: Language, action: SampleAction, values: SampleValues): string {
  return SAMPLES[language](action, values);
}

const SAMPLES: Readonly<Record<Language, (action: SampleAction, values: SampleValues) => string>> = {
  curl: toCurl,
  php: toPhp,
  python: toPython,
  typescript: toTypeScript,
};

/** The fields of the form, in their order. */
function toFields(action: SampleAction, { apiKey, kind, hash, type, text, deletionCode }: SampleValues) {
  const fields: [name: string, value: string][] = [
    ['_api', apiKey],
    ['_action', action],
  ];
  if (action === 'report') fields.push(['_type', type], ['_value', String(SEVERITY)], ['_text', text]);
  fields.push(action === 'delete' ? ['_code', deletionCode] : [kind, hash]);
  return fields;
}

const toAddress = ({ baseUrl }: SampleValues): string => `${baseUrl}/api/`;

/** A text of a shell: nothing within single quotes is special. */
const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** A text of PHP: within single quotes, only the quote and the backslash are special. */
const inPhp = (text: string): string => `'${text.replace(/['\\]/g, String.raw`\$&`)}'`;
/** A text of Python or TypeScript. JSON escapes what both escape, but for the other quote. */
const inScript = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\(.)|'/g, (match, escaped) => (match === "'" ? String.raw`\'` : escaped === '"' ? '"' : match))}'`;

function toCurl(action: SampleAction, values: SampleValues): string {
  const fields = toFields(action, values).map(([name, value]) => {
    const option = name === '_text' ? '--data-urlencode' : '-d';
    return `  ${option} ${inShell(`${name}=${value}`)}`;
  });
  // The code for the deletion is a header of the reply.
  const show = action === 'report' ? '-sSi' : '-sS';
  return [`curl ${show} ${inShell(toAddress(values))}`, ...fields].join(' \\\n');
}

function toPhp(action: SampleAction, values: SampleValues): string {
  const fields = toFields(action, values).map(([name, value]) => `    ${inPhp(name)} => ${inPhp(value)},`);
  const isReport = action === 'report';
  return [
    '<?php',
    `$request = curl_init(${inPhp(toAddress(values))});`,
    'curl_setopt($request, CURLOPT_RETURNTRANSFER, true);',
    'curl_setopt($request, CURLOPT_POSTFIELDS, http_build_query([',
    ...fields,
    ']));',
    ...(isReport
      ? [
          "$code = '';",
          'curl_setopt($request, CURLOPT_HEADERFUNCTION, function ($request, $line) use (&$code) {',
          "    if (stripos($line, 'X-Deletion-Code:') === 0) $code = trim(substr($line, 16));",
          '    return strlen($line);',
          '});',
        ]
      : []),
    '$reply = curl_exec($request);',
    'if (curl_getinfo($request, CURLINFO_HTTP_CODE) !== 200) exit("$reply\\n");',
    ...{
      query: [
        "[$points, $reported, $reliability, $link] = explode('-', $reply, 4);",
        'echo "$points of 100 points, $reported reports, reliability $reliability: $link\\n";',
      ],
      report: ['echo "Keep this code for the deletion: $code\\n";'],
      delete: ['echo "The report is deleted.\\n";'],
    }[action],
  ].join('\n');
}

function toPython(action: SampleAction, values: SampleValues): string {
  const fields = toFields(action, values).map(([name, value]) => `    ${inScript(name)}: ${inScript(value)},`);
  return [
    'from urllib.error import HTTPError',
    'from urllib.parse import urlencode',
    'from urllib.request import urlopen',
    '',
    'form = urlencode({',
    ...fields,
    '}).encode()',
    'try:',
    `    reply = urlopen(${inScript(toAddress(values))}, form, timeout=10)`,
    'except HTTPError as error:',
    '    raise SystemExit(error.read().decode())',
    ...{
      query: [
        "points, reported, reliability, link = reply.read().decode().split('-', 3)",
        "print(f'{points} of 100 points, {reported} reports, reliability {reliability}: {link}')",
      ],
      report: ["print('Keep this code for the deletion:', reply.headers['X-Deletion-Code'])"],
      delete: ["print('The report is deleted.')"],
    }[action],
  ].join('\n');
}

function toTypeScript(action: SampleAction, values: SampleValues): string {
  const { baseUrl, apiKey, kind, hash, type, text, deletionCode } = values;
  const identifiers = `[{ kind: ${inScript(kind)}, hash: ${inScript(hash)} }]`;
  return [
    '// First: npm install redflag',
    `// Save this as ${action}.mjs (TypeScript: ${action}.mts). Run: node ${action}.mjs`,
    "import { createClient } from 'redflag/client';",
    '',
    'const client = createClient({',
    `  baseUrl: ${inScript(baseUrl)},`,
    `  apiKey: ${inScript(apiKey)},`,
    '});',
    ...{
      query: [
        'const { points, reported, reliability, link } = await client.query(',
        `  ${identifiers},`,
        ');',
        'console.log(`${points} of 100 points, ${reported} reports, reliability ${reliability}: ${link}`);',
      ],
      report: [
        'const { deletionCode } = await client.report({',
        `  type: ${inScript(type)},`,
        `  severity: ${SEVERITY},`,
        `  text: ${inScript(text)},`,
        `  identifiers: ${identifiers},`,
        '});',
        "console.log('Keep this code for the deletion:', deletionCode);",
      ],
      delete: [`await client.remove(${inScript(deletionCode)});`, "console.log('The report is deleted.');"],
    }[action],
  ].join('\n');
}
