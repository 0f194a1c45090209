/** The figures of the sealed look-up as Markdown. */
import { A_DAY } from './sealed-days.mjs';

const count = (value) => value.toLocaleString('en');
const precise = (value) => (value < 100 ? value.toPrecision(3) : value.toFixed(0));
const us = ({ medianMicroseconds, lowerQuartile, upperQuartile }) =>
  `${medianMicroseconds.toFixed(0)} (${lowerQuartile.toFixed(0)} to ${upperQuartile.toFixed(0)})`;
const mib = (bytes) => (bytes / 2 ** 20).toFixed(0);
const percent = (share) => `${(100 * share).toFixed(1).replace('.0', '')} %`;
const times = (value) => value.toFixed(value < 10 ? 2 : 1);

const STEPS = { blind: 'blind', evaluate: 'evaluate', finish: 'verify, unblind' };

/** Returns all tables. */
export function sealedTables(figures) {
  return [
    ...figures.runtimes.map(stepsTable),
    requestsTable(figures),
    queriesTable(figures),
    publicationsTable(figures),
    notes(figures),
  ].join('\n\n');
}

/** Returns a row for each library: milliseconds of an element by step and number together, and evaluations a second. */
function stepsTable({ version, steps }) {
  const libraries = [...new Set(steps.map(({ library }) => library))];
  const counts = [...new Set(steps.map((one) => one.count))];
  const find = (library, step, together) =>
    steps.find((one) => one.library === library && one.step === step && one.count === together).milliseconds;
  const [three] = counts.filter((together) => together > 1);
  const heads = Object.values(STEPS).flatMap((step) => counts.map((together) => `${step}, ${together}`));
  return [
    `| ${version}, ms an element | ${heads.join(' | ')} | evaluations a second, ${three} together | times \`@noble/curves\` |`,
    `|---|${heads.map(() => '---|').join('')}---|---|`,
    ...libraries.map((library) => {
      const cells = Object.keys(STEPS).flatMap((step) => counts.map((together) => find(library, step, together)));
      const evaluated = find(library, 'evaluate', three);
      const ratio = find('@noble/curves, its VOPRF', 'evaluate', three) / evaluated;
      const name = library.startsWith('redflag') ? `**${library}**` : library;
      return `| ${name} | ${cells.map(precise).join(' | ')} | ${count(Math.round(1000 / evaluated))} | ${times(ratio)} |`;
    }),
  ].join('\n');
}

/** Returns a row for each number of elements of a request. */
function requestsTable({ requests }) {
  const find = (together, what) => requests.find((one) => one.count === together && one.what === what);
  const counts = [...new Set(requests.map((one) => one.count))];
  return [
    '| elements in a request | ms a request | the VOPRF alone, ms | ratio |',
    '|---|---|---|---|',
    ...counts.map((together) => {
      const [whole, alone] = ['request', 'alone'].map((what) => find(together, what).medianMicroseconds / 1000);
      return `| ${together} | ${precise(whole)} | ${precise(alone)} | ${times(whole / alone)} |`;
    }),
  ].join('\n');
}

/** Returns a row for each number of reports about a customer. */
function queriesTable({ queries }) {
  return [
    '| reports about the customer | rows opened | first query, µs | again, µs | the service’s engine, µs | times the first query |',
    '|---|---|---|---|---|---|',
    ...queries.map(
      ({ reported, first, again, online }) =>
        `| ${reported} | ${3 * reported} | ${us(first)} | ${us(again)} | ${us(online)} | ${times(online.medianMicroseconds / first.medianMicroseconds)} |`,
    ),
  ].join('\n');
}

/** Returns a row for each long piece of work. */
function publicationsTable({ published, day, downloaded, started, followed, bytes }) {
  const rows = [
    ['first publication', published, bytes.snapshot],
    ['publication a day later', day, bytes.day],
    ['client: download of all rows', downloaded, bytes.snapshot],
    ['client: start from its folder, and a query', started, 0],
    ['client: download a day later', followed, bytes.day],
  ];
  return [
    '| work | bytes | seconds on a core | longest turn, ms | resident MiB before | at most | after |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(
      ([name, { cpuSeconds, longestMs, memory }, size]) =>
        `| ${name} | ${count(size)} | ${precise(cpuSeconds)} | ${longestMs.toFixed(0)} | ${mib(memory.before)} | ${mib(memory.most)} | ${mib(memory.after)} |`,
    ),
  ].join('\n');
}

function notes({ identifiers, published, day, wire, http }) {
  const [one, three, most] = wire.evaluations;
  return [
    `The store has ${count(identifiers)} identifiers. A day has ${percent(A_DAY.added)} new, ${percent(A_DAY.changed)} changed and ${percent(A_DAY.removed)} removed rows. The first publication takes ${precise((1e6 * published.cpuSeconds) / published.rows)} µs a row, the next ones ${precise((1e6 * day.cpuSeconds) / day.rows)} µs.`,
    `Bytes of a new identifier on the wire, with all headers: ${count(one.up)} up and ${count(one.down)} down for one, ${count(Math.round(three.up / three.count))} and ${count(Math.round(three.down / three.count))} for each of ${three.count}${most ? `, ${count(Math.round(most.up / most.count))} and ${count(Math.round(most.down / most.count))} for each of ${most.count}` : ''}. A prepared identifier of a replica needs none.`,
    ...http.map(
      ({ connections, perSecond, p50, p99 }) =>
        `Requests of three over HTTP on loopback, ${connections === 1 ? 'one connection' : `${connections} connections`}: ${count(Math.round(perSecond))} a second, p50 ${precise(p50)} ms, p99 ${precise(p99)} ms.`,
    ),
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}
