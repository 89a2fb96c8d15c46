/** Keys of a track that are not carried over, in lines that a person can read: the same key of many objects is one line. */
import { stringifyPlain } from '../../json/exact';
import { nearest } from '../../near';
import { plural } from '../../units/format';
import { BENCHMARKS, type Benchmark } from './benchmark';
import { PARALLEL_KEYS, TASK_KEYS } from './track';
import type { UnreadKey } from './tracked';

interface Kind {
  one: string;
  many: string;
}

const kind = (one: string, many = `${one}s`): Kind => ({ one, many });

const OPERATION = kind('operation');
const TASK = kind('task');
const PARALLEL = kind('parallel element');
const CHALLENGE = kind('challenge');
const PROCEDURE = kind('test procedure');
const TEMPLATE = kind('template');

/** By the path of an object without the numbers of its items, or by the end of it. */
const KINDS: Readonly<Record<string, Kind>> = {
  corpora: kind('corpus', 'corpora'),
  'corpora.documents': kind('document set'),
  indices: kind('index', 'indices'),
  'data-streams': kind('data stream'),
  templates: TEMPLATE,
  'composable-templates': TEMPLATE,
  'component-templates': kind('component template'),
  challenge: CHALLENGE,
  challenges: CHALLENGE,
  test_procedure: PROCEDURE,
  test_procedures: PROCEDURE,
  parallel: PARALLEL,
  operation: OPERATION,
  operations: OPERATION,
  schedule: TASK,
  tasks: TASK,
};

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

function kindOf(owner: string, { track }: Benchmark): Kind {
  if (owner === '') return { one: `the ${track}`, many: `${track}s` };
  const parts = owner.replaceAll(/\[\d+\]/g, '').split('.');
  const known = KINDS[parts.join('.')] ?? KINDS[parts.at(-1)!];
  if (known !== undefined) return known;
  // An object inside an operation, such as its condition.
  const from = parts.findLastIndex((part) => KINDS[part] !== undefined);
  const inner = parts.slice(from + 1).join('.');
  const outer = KINDS[parts[from] ?? ''];
  return outer === undefined
    ? { one: `${inner} of the ${track}`, many: `parts of ${track}s` }
    : { one: `${inner} of ${article(outer.one)}`, many: `parts of ${outer.many}` };
}

/** Keys that change nothing of what is sent to the cluster, and why. */
const WITHOUT_EFFECT: readonly {
  keys: readonly string[];
  of: readonly Kind['one'][] | 'any';
  why(benchmark: Benchmark): string;
}[] = [
  { keys: ['meta'], of: 'any', why: ({ name }) => `labels that ${name} adds to its metrics` },
  { keys: ['version'], of: ['the track', 'the workload'], why: () => 'the version of the file format' },
  {
    keys: ['parameters'],
    of: ['the track', 'the workload', CHALLENGE.one, PROCEDURE.one],
    why: ({ name }) => `values that ${name} only stores with its results`,
  },
  {
    keys: ['compressed-bytes', 'uncompressed-bytes'],
    of: ['document set'],
    why: ({ name }) => `sizes by which ${name} checks a download`,
  },
  { keys: ['tags'], of: [TASK.one], why: () => 'names by which tasks are selected on the command line' },
  { keys: ['name'], of: [TASK.one], why: () => 'the name of a parallel element' },
  { keys: ['description'], of: 'any', why: () => 'descriptions' },
  {
    keys: ['run-on-serverless'],
    of: [TASK.one, OPERATION.one],
    why: () => 'whether it is skipped on Elastic Cloud Serverless',
  },
  {
    keys: ['include-in-reporting', 'include-in-results_publishing'],
    of: [OPERATION.one],
    why: ({ name }) => `whether ${name} prints its metrics`,
  },
  {
    keys: ['ignore-response-error-level'],
    of: [TASK.one],
    why: () => 'whether an error ends the benchmark: Dyno counts errors and continues',
  },
  {
    keys: ['batch-size'],
    of: [OPERATION.one],
    why: () => 'how many documents are read from the file at once',
  },
];

/** JSON has no comments, so authors of tracks write them as keys. */
const COMMENT = /^(?:#|\/\/|_?comment)/i;

function whyHarmless(key: string, { one }: Kind, benchmark: Benchmark): string | undefined {
  if (COMMENT.test(key)) return 'comments';
  return WITHOUT_EFFECT.find(({ keys, of }) => keys.includes(key) && (of === 'any' || of.includes(one)))?.why(
    benchmark,
  );
}

/** Keys that the benchmarks know and definitions have nothing for: what that means. */
const NOT_CARRIED: readonly { keys: readonly string[]; what(benchmark: Benchmark): string }[] = [
  { keys: ['dependencies'], what: () => 'Python packages; the import installs none' },
  { keys: ['detailed-results'], what: ({ name }) => `figures that ${name} takes from answers` },
  {
    keys: [
      'retries',
      'retry-until-success',
      'retry-wait-period',
      'retry-on-timeout',
      'retry-on-error',
      'retries_on_429',
    ],
    what: () => 'a request that fails is not repeated; a bulk is, as `retries` of its task says',
  },
  { keys: ['ignore'], what: () => 'these statuses count as failed' },
  { keys: ['response-compression-enabled'], what: () => 'compressed answers are never asked for' },
  { keys: ['looped'], what: () => 'the documents are read once' },
];
const OF_OSB: typeof NOT_CARRIED = [
  {
    keys: ['ramp-down-time-period'],
    what: () => 'all clients run until the end, and none of them leaves before',
  },
];

export interface KeyGroup {
  key: string;
  kind: Kind;
  keys: UnreadKey[];
  /** What was probably meant, as the end of a sentence; '' for nothing. */
  hint: string;
  /** Why leaving it out changes nothing of the load; undefined where it may. */
  why?: string;
}

function hintOf({ key, asked }: UnreadKey, { one }: Kind, benchmark: Benchmark): string {
  const known = [...NOT_CARRIED, ...(benchmark === BENCHMARKS.osb ? OF_OSB : [])];
  const explained = known.find(({ keys }) => keys.includes(key));
  if (explained !== undefined) return explained.what(benchmark);
  const own = nearest(key, asked);
  const elsewhere = (keys: readonly string[]): string | undefined =>
    keys.includes(key) ? key : nearest(key, keys);
  if (one === TASK.one && asked.includes('parallel') && TASK_KEYS.includes(key))
    return `it belongs inside \`parallel\``;
  if (own !== undefined) return `did you mean \`${own}\`?`;
  const of = (keys: readonly string[], place: string): string => {
    const meant = elsewhere(keys);
    if (meant === undefined) return '';
    return meant === key ? `it belongs to ${place}` : `did you mean \`${meant}\`, which belongs to ${place}?`;
  };
  if (one === TASK.one) return of(PARALLEL_KEYS, 'a `parallel` element');
  if (one === PARALLEL.one) return of(TASK_KEYS, 'each task');
  if (one === OPERATION.one) return of(TASK_KEYS, 'the task') || of(PARALLEL_KEYS, 'a `parallel` element');
  return '';
}

/** The same key of the same kind of object is one group; groups are in the order in which they first appear. */
export function keyGroups(unread: readonly UnreadKey[], benchmark: Benchmark): KeyGroup[] {
  const groups = new Map<string, KeyGroup>();
  for (const one of unread) {
    const own = kindOf(one.owner, benchmark);
    const hint = hintOf(one, own, benchmark);
    const id = stringifyPlain([one.key, own.one, hint]);
    const known = groups.get(id);
    if (known !== undefined) {
      known.keys.push(one);
      continue;
    }
    const why = whyHarmless(one.key, own, benchmark);
    groups.set(id, { key: one.key, kind: own, keys: [one], hint, ...(why === undefined ? {} : { why }) });
  }
  return [...groups.values()];
}

const placeOf = ({ owner, key }: UnreadKey): string =>
  owner === '' ? key : key.startsWith('[') ? `${owner}${key}` : `${owner}.${key}`;

/** Places that one line names; of more it names the first ones and how many follow. */
const MOST_PLACES = 3;

const isMaterial = ({ why }: KeyGroup): boolean => why === undefined;

/** A line for each group of keys that may change the load. */
export const lostKeyLines = (groups: readonly KeyGroup[]): string[] =>
  groups.filter(isMaterial).map(({ key, kind: { one, many }, keys, hint }) => {
    const named = keys.slice(0, keys.length > MOST_PLACES ? MOST_PLACES - 1 : MOST_PLACES);
    const places = named.map((item) => `\`${placeOf(item)}\``).join(', ');
    const more = keys.length > named.length ? ` and ${keys.length - named.length} more` : '';
    const [{ name, file }] = keys as [UnreadKey];
    // An object inside another one has a place, but no name that says more.
    const isInner = one.includes(' of ') || one.startsWith('the ');
    const single = isInner ? one : name === undefined ? article(one) : `${one} ${name}`;
    const owner = keys.length > 1 ? plural(keys.length, one, many) : single;
    return `\`${key}\` of ${owner} (${file}: ${places}${more})${hint === '' ? '' : `: ${hint}`}`;
  });

/** A line for each reason why keys are left out that change nothing. */
export function harmlessKeyLines(groups: readonly KeyGroup[]): string[] {
  const reasons = new Map<string, { keys: Set<string>; places: number }>();
  for (const { key, keys, why } of groups) {
    if (why === undefined) continue;
    const known = reasons.get(why) ?? { keys: new Set(), places: 0 };
    known.keys.add(`\`${key}\``);
    known.places += keys.length;
    reasons.set(why, known);
  }
  return [...reasons].map(
    ([why, { keys, places }]) => `${[...keys].join(', ')} (${plural(places, 'place')}): ${why}`,
  );
}

/** How often keys are not carried over, for many tracks: the most frequent first. */
export function lostKeyCounts(groups: readonly KeyGroup[]): string[] {
  const counts = new Map<string, number>();
  for (const {
    key,
    kind: { one },
    keys,
  } of groups.filter(isMaterial)) {
    const what = `${one}: ${key}`;
    counts.set(what, (counts.get(what) ?? 0) + keys.length);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([what, count]) => `${String(count).padStart(6)}  ${what}`);
}
