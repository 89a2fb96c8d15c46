/**
 * Creates reports of an import: which operations were converted and which were left out. The report about one challenge is a text, the
 * report about many tracks is a table.
 */
import { parseAddress, shownAddress } from '../../secrets/address';
import { REMOVED } from '../../secrets/removed';
import { formatNumber, formatPercent, plural } from '../../units/format';
import type { ConvertedChallenge, ConvertedTask } from './definitions';
import { harmlessKeyLines, keyGroups, lostKeyLines } from './unread';

/**
 * Number of a track's operations, by how they were converted. `typed`: to a specific kind of request. `generic`: to requests of the kind
 * `http`. `ingest`: to the ingestion of documents. `left`: not at all.
 */
export interface Count {
  name: string;
  operations: number;
  typed: number;
  ingest: number;
  generic: number;
  left: number;
}

export const countOf = (name: string, tasks: readonly ConvertedTask[]): Count => {
  const of = (standing: ConvertedTask['standing']): number =>
    tasks.filter((task) => task.standing === standing).length;
  return {
    name,
    operations: tasks.length,
    typed: of('typed'),
    ingest: of('ingest'),
    generic: of('generic'),
    left: of('left'),
  };
};

/** Returns the sum of several counts. `name`: name of the line with the sum. */
export const sumOf = (name: string, counts: readonly Count[]): Count =>
  counts.reduce(
    (sum, one) => ({
      name,
      operations: sum.operations + one.operations,
      typed: sum.typed + one.typed,
      ingest: sum.ingest + one.ingest,
      generic: sum.generic + one.generic,
      left: sum.left + one.left,
    }),
    { name, operations: 0, typed: 0, ingest: 0, generic: 0, left: 0 },
  );

const share = ({ operations, left }: Count): string =>
  operations === 0 ? '-' : formatPercent((operations - left) / operations);

/** Returns the lines of a table: one for each count, and one for the total. */
export function countLines(counts: readonly Count[]): string[] {
  const head = ['track', 'operations', 'typed', 'ingestions', 'generic', 'left out', 'converted'];
  const rows = [...counts, sumOf('all', counts)].map((one) => [
    one.name,
    ...[one.operations, one.typed, one.ingest, one.generic, one.left].map((value) => formatNumber(value)),
    share(one),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ');
  return [line(head), ...rows.map(line)];
}

/**
 * Returns a line for each reason why operations were left out, with the number of these operations. The most frequent reason comes first.
 */
export function reasonLines(tasks: readonly ConvertedTask[]): string[] {
  const counts = new Map<string, number>();
  for (const { task, reason, nearest } of tasks) {
    if (reason === undefined) continue;
    const line = `${task.operation.type}: ${reason}${nearest === undefined ? '' : `; nearest: ${nearest}`}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([line, count]) => `${formatNumber(count).padStart(6)}  ${line}`);
}

const listed = (lines: readonly string[]): string[] => lines.map((line) => `- ${line}`);
const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];

/** Returns the URL of an archive below the URL `base`. Credentials and the query are removed, because the query may contain a signature. */
export function archiveAddress(base: string, archive: string): string {
  const url = parseAddress(base, { webhook: true });
  if (typeof url === 'string') return `${shownAddress(base).replace(/\/+$/, '')}/${archive}`;
  const user = url.username === '' && url.password === '' ? '' : `${REMOVED}@`;
  const query = url.search === '' ? '' : `?${REMOVED}`;
  return `${url.protocol}//${user}${url.host}${url.pathname.replace(/\/+$/, '')}/${archive}${query}`;
}

/** Returns a line for each file with documents that the definitions need: its name and where to download it. */
function dataLines(tasks: readonly ConvertedTask[]): string[] {
  const files = new Map(tasks.flatMap(({ ingest }) => ingest?.files ?? []).map((file) => [file.file, file]));
  return [
    ...[...files.values()].map(({ file, archive, url, count }) => {
      const from = url === undefined ? archive : archiveAddress(url, archive);
      return `\`${file}\`: ${plural(count, 'document')}${file === archive ? '' : ', unpacked'}, from ${from}`;
    }),
  ];
}

/** Returns a line for each file that the importer writes with values for requests. The values come from Python code of the track. */
const valueLines = (tasks: readonly ConvertedTask[]): string[] =>
  tasks.flatMap(({ task, data }) =>
    data === undefined
      ? []
      : [
          `\`${data.file}\`: ${plural(data.values, 'value')} that Python code of the track gave for ${task.name}`,
        ],
  );

const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`);

/**
 * Returns a line for each key that occurs several times in the same object of the track. Only the last value of such a key is converted.
 */
const repeatedLines = ({ track: { benchmark }, repeated }: ConvertedChallenge): string[] =>
  repeated.map(
    ({ file, owner, key, times }) =>
      `\`${file}${owner === '' ? '' : `: ${owner}`}\`: the key \`${key}\` appears ${times === 2 ? 'twice' : `${times} times`}; as in ${benchmark.name}, only its last value counts.`,
  );

/** Returns the text of the README that is written next to the definitions of a challenge. */
export function challengeText(converted: ConvertedChallenge): string {
  const { track, challenge, files, tasks, lost, unread } = converted;
  const { benchmark } = track;
  const left = tasks.filter(({ standing }) => standing === 'left');
  const count = countOf('', tasks);
  const carried = count.operations - count.left;
  const notes = new Map<string, string[]>();
  for (const { task, notes: own } of tasks)
    for (const note of own) notes.set(note, [...(notes.get(note) ?? []), task.name]);
  const groups = keyGroups(unread, benchmark);
  return [
    `# ${track.name}, ${challenge.name}`,
    '',
    ...[challenge.description || track.description, challenge.userInfo].filter((text) => text !== ''),
    '',
    `${plural(carried, 'operation')} of ${count.operations} in the schedule of this ${benchmark.challenge} ${carried === 1 ? 'is' : 'are'} in these definitions. ${benchmark.name} runs them one after the other: run the files in the order of their numbers, on one cluster.`,
    ...section(
      'Definitions',
      files.map(
        ({ name, definition }) =>
          `- \`${name}.yml\`: ${String(definition['name']).split(': ').slice(1).join(': ')}`,
      ),
    ),
    ...section('Data: put these files next to the definitions', listed(dataLines(tasks))),
    ...section('Values of requests, in files next to the definitions', listed(valueLines(tasks))),
    ...section(
      'Not carried over',
      listed([
        ...left.map(
          ({ task, reason, nearest }) =>
            `${task.name} (${task.operation.type}) ${sentence(reason ?? '')}${nearest === undefined ? '' : ` Nearest: ${nearest}.`}`,
        ),
        ...lost.map(({ place, what }) => `\`${place}\`: ${sentence(what)}`),
        ...repeatedLines(converted),
        ...lostKeyLines(groups),
      ]),
    ),
    ...section(
      `Different from ${benchmark.name}`,
      listed(
        [...notes].map(
          ([note, names]) =>
            `${names.length > 3 ? plural(names.length, 'operation') : names.join(', ')}: ${note}.`,
        ),
      ),
    ),
    ...section('Left out because it does not affect the load', listed(harmlessKeyLines(groups))),
    '',
  ].join('\n');
}
