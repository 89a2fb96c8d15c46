/**
 * Benchmark with experiments whose cause is known: a slow analyzer, and a slow script. Half of the cells have the cause. The cells differ
 * also in a setting without an effect, so each run also compares two pairs of equal cells. Dyno starts a real OpenSearch and profiles it,
 * because the reduced Elasticsearch has neither this analyzer nor scripts.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildProfile, type Profile } from '../../common/report/model/profile';
import { formatPercent } from '../../common/units/format';
import { unpackProfile } from '../../server/results/unpacked-profile';
import { runInFile } from '../../server/standalone/commands/reports';
import { command } from './runs';
import type { Row } from './table';

/** The planted frame must be the first one that is named, and decided, in 9 of 10 runs. */
const LEAST_FOUND = 0.9;
/** Maximum number of frames that are decided per comparison of equal cells. */
const MOST_FALSE = 1 / 20;

/** A setting whose value cannot affect the results, because no document has this many fields. */
const LABEL = 'index.settings.mapping.total_fields.limit';

/** Definition without the parts that all experiments share, the levels of the cause, and the frames that belong to it. */
interface Cause {
  name: string;
  definition: object;
  factor: string;
  levels: readonly [without: unknown, with_: unknown];
  frames: RegExp;
}

const search = (query: object): object[] => [
  { name: 'lines', body: { query }, params: { request_cache: false } },
];

/** The regular expression for camel case in the documentation of Elasticsearch's pattern analyzer. Its look-behinds are slow. */
const CAMEL_CASE =
  '([^\\p{L}\\d]+)|(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)|(?<=[\\p{L}&&[^\\p{Lu}]])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}[\\p{L}&&[^\\p{Lu}]])';

const CAUSES: readonly Cause[] = [
  {
    name: 'analyzer',
    definition: {
      index: {
        settings: {
          number_of_shards: 1,
          number_of_replicas: 0,
          analysis: {
            tokenizer: { words: { type: 'pattern', pattern: CAMEL_CASE } },
            analyzer: { slow: { type: 'custom', tokenizer: 'words' } },
          },
        },
        mapping: { properties: { message: { type: 'text', analyzer: 'standard' } } },
      },
      tasks: [
        {
          name: 'ingest',
          ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 500 } },
          executor: { 'constant-clients': { clients: 2 } },
        },
      ],
    },
    factor: 'index.mapping.properties.message.analyzer',
    levels: ['standard', 'slow'],
    frames: /PatternTokenizer/,
  },
  {
    name: 'script',
    definition: {
      index: { settings: { number_of_shards: 1, number_of_replicas: 0 }, mapping: 'apache-logs' },
      // Each trial loads its own index. Trials that share one would also share its segments, which is a difference between the cells.
      preload: { documents: 20_000, source: { generator: 'apache-logs' }, 'force-merge': 1 },
      tasks: [
        {
          name: 'queries',
          search: { requests: search({ match: { message: 'http' } }) },
          executor: { 'constant-clients': { clients: 2 } },
        },
      ],
    },
    factor: 'tasks.queries.search.requests',
    levels: [
      search({ match: { message: 'http' } }),
      search({
        script_score: {
          query: { match: { message: 'http' } },
          script: { source: "Math.log(2 + doc['bytes'].value)" },
        },
      }),
    ],
    frames: /[Pp]ainless|ScriptScore/,
  },
];

const definitionOf = ({ name, definition, factor, levels }: Cause): object => ({
  version: 1,
  name: `planted ${name}`,
  ...definition,
  environment: { engine: 'opensearch', heap: '1g' },
  factors: { [factor]: levels, [LABEL]: [1000, 1001] },
  measure: { 'burn-in': '10s', warmup: '1s', duration: '6s', drain: '5s', profile: 'profiler' },
  trials: 5,
});

/** Executes a run. Resolves to the comparison of any two of its cells, by their index in the plan. */
async function profilesOf(
  folder: string,
  definition: object,
): Promise<(cell: number, against: number) => Profile> {
  const [given, file] = [path.join(folder, 'definition.json'), path.join(folder, 'run.dyno-runs.gz')];
  const report = path.join(folder, 'report.json');
  writeFileSync(given, JSON.stringify(definition));
  const done = await command(folder, ['run', given, '--no-collector', '--report', report]);
  if (done.code !== 0) throw new Error(`the run ended with ${String(done.code)}:\n${done.output}`);
  const {
    run: { id },
  } = JSON.parse(readFileSync(report, 'utf8')) as { run: { id: string } };
  rmSync(file, { force: true });
  const exported = await command(folder, ['results', 'export', id, '--file', file]);
  if (exported.code !== 0)
    throw new Error(`the export ended with ${String(exported.code)}:\n${exported.output}`);
  const { run, profiles } = await runInFile(file);
  return (cell, against) => {
    const of = profiles.filter((profile) => profile.cell.index === cell || profile.cell.index === against);
    return buildProfile(run, [], {
      heads: profiles,
      choice: { event: 'cpu', cells: [cell, against] },
      profiles: of.map(unpackProfile),
    });
  };
}

/** Returns whether the frame that is named first is the cause, or is called by it. */
function isNamedFirst({ tree, changes }: Profile, { frames }: Cause): boolean {
  for (let frame = changes[0]?.frame ?? -1; frame >= 0; frame = tree.parent[frame]!)
    if (frames.test(tree.names[tree.name[frame]!]!)) return true;
  return false;
}

/**
 * Executes `runs` runs, in turn with each cause. Prints the first named change of each comparison as soon as it is known. Cells 0 and 1 of
 * a run are equal and have no cause; cells 2 and 3 are equal and have it.
 */
export async function benchPlantedCause(
  runs: number,
): Promise<{ tables: { title: string; rows: Row[] }[]; failures: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-planted-'));
  const say = (text: string): boolean => process.stdout.write(`${text}\n`);
  const rows = CAUSES.map(({ name }) => ({ cause: name, runs: 0, comparisons: 0, named: 0, coloured: 0 }));
  try {
    for (let run = 0; run < runs; run += 1) {
      const at = run % CAUSES.length;
      const [cause, row] = [CAUSES[at]!, rows[at]!];
      const compare = await profilesOf(folder, definitionOf(cause));
      row.runs += 1;
      for (const [cell, against] of [
        [2, 0],
        [3, 1],
      ] as const) {
        const profile = compare(cell, against);
        const isNamed = isNamedFirst(profile, cause);
        row.comparisons += 1;
        if (isNamed) row.named += 1;
        const first = profile.changes[0]?.sentence ?? (profile.undecidable || 'nothing is decided');
        say(`run ${run + 1}, ${cause.name}: ${isNamed ? 'named first' : 'NOT named first'}: ${first}`);
      }
      for (const [cell, against] of [
        [1, 0],
        [3, 2],
      ] as const) {
        const { tree, changes } = compare(cell, against);
        const decided = tree.changes.filter(({ isDecided }) => isDecided).length;
        row.coloured += decided;
        say(
          `run ${run + 1}, equal cells: ${decided} frames decided${decided > 0 ? `: ${changes[0]!.sentence}` : ''}`,
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const sum = (of: 'comparisons' | 'named' | 'coloured'): number =>
    rows.reduce((all, row) => all + row[of], 0);
  const [comparisons, named, coloured] = [sum('comparisons'), sum('named'), sum('coloured')];
  const failures: string[] = [];
  if (named < LEAST_FOUND * comparisons)
    failures.push(
      `the planted frame is named first in ${named} of ${comparisons} comparisons, at least ${formatPercent(LEAST_FOUND)} must`,
    );
  if (coloured > Math.max(1, MOST_FALSE * comparisons))
    failures.push(
      `${coloured} frames are decided in ${comparisons} comparisons of equal cells, at most 1 in 20 may`,
    );
  return {
    tables: [
      {
        title:
          'Planted causes: comparisons in which the cause is named first, and frames decided in as many comparisons of equal cells',
        rows,
      },
    ],
    failures,
  };
}
