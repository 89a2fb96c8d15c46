/** What is wrong with the parts of a Dyno, each as a sentence with what to do next; judged from what the parts told alone. */
import type { About, AboutPart, AboutParts, AboutProblem, Found } from '../api/about';
import { isSilent } from './silence';
import { formatBytes, formatDuration, formatNumber, plural } from '../units/format';
import { parseTime } from '../units/time';

type Told = Omit<AboutProblem, 'part'>;

interface Around {
  host: About['host'];
  /** ms since the epoch. */
  now: number;
  parts: AboutParts;
}

/** Elasticsearch gives a disk no more shards from 85% on, and makes its indices read-only from 95% on: free share. */
const DISK_LOW = 0.15;
const DISK_FULL = 0.05;
/** Below it a machine swaps, or ends processes: free share, and bytes that are enough on any machine. */
const MEMORY_LOW = 0.08;
const MEMORY_ENOUGH = 1024 ** 3;
/** What waits longer than this while its cluster answers does not go by itself, ms. */
const WAITS_LONG_MS = 2 * 60_000;

const wrong = (what: string, next: string): Told => ({ level: 'wrong', what, next });
const warning = (what: string, next: string): Told => ({ level: 'warning', what, next });

const ago = (iso: string, now: number): string => formatDuration(Math.max(0, now - parseTime(iso)));

/** What to do where a part could not be looked at. */
const FAILED_NEXT: Readonly<Record<AboutPart, string>> = {
  versions: 'Report it with the support bundle.',
  results:
    'Start that cluster, or check its address and the credentials that Dyno has for it. Until it answers, results wait in the spool.',
  embedded: 'Look at its log, node-1/logs/console.log in the folder of the embedded Elasticsearch.',
  spool: 'Check that the data folder is there and that the user of Dyno may read it.',
  collector: 'It is asked of the results cluster: see there.',
  runs: 'It is asked of the results cluster: see there.',
  schedules: 'It is asked of the place where experiments are kept: see the results cluster.',
  certification: 'Check that the data folder is there and that the user of Dyno may read it.',
  disks: 'Check that the data folder is there and that the user of Dyno may read it.',
  machine: 'Report it with the support bundle.',
};

const JUDGES: { readonly [P in AboutPart]?: (found: Found<P>, around: Around) => Told[] } = {
  results({ health }) {
    if (health === null || health.status === 'green') return [];
    const shards = plural(health.unassignedShards, 'shard');
    if (health.status === 'red')
      return [
        wrong(
          `The results cluster is red: ${shards} without a node, primary ones among them, so that results are missing or cannot be written.`,
          'Ask that cluster why: GET _cluster/allocation/explain. Results of runs wait in the spool meanwhile.',
        ),
      ];
    // With one node, copies have no place, and nothing is missing.
    if (health.nodes < 2) return [];
    return [
      warning(
        `The results cluster is yellow: ${shards} without a node, copies only. Nothing is missing.`,
        'If it does not pass within minutes, ask that cluster why: GET _cluster/allocation/explain.',
      ),
    ];
  },

  spool({ waiting, others, kept }, { now, parts }) {
    const told: Told[] = [];
    const isAnswering = parts.results.found !== null;
    if (waiting.since !== null) {
      const what = `${plural(waiting.files, 'file')} of results (${formatBytes(waiting.bytes)}) have waited for the results cluster for ${ago(waiting.since, now)}.`;
      if (!isAnswering)
        told.push(warning(what, 'They are stored by themselves once it answers. Do not delete the spool.'));
      else if (now - parseTime(waiting.since) > WAITS_LONG_MS)
        told.push(
          warning(
            `${what} The cluster answers, but has not taken them.`,
            'Look whether its disk is full or an index is read-only. What a dead process left is stored by the next run or start.',
          ),
        );
    }
    for (const { cluster, files, bytes, since } of others)
      told.push(
        warning(
          `${plural(files, 'file')} of results (${formatBytes(bytes)}) wait for another cluster, ${cluster}${since === null ? '' : `, the oldest for ${ago(since, now)}`}.`,
          'Use that cluster for the results once more, and they are stored; they are never stored in another one.',
        ),
      );
    if (kept > 0)
      told.push(
        warning(
          `${plural(kept, 'file')} of results could not be stored beside what other processes had written.`,
          'Look at the folder kept in the spool; "dyno results import FILE" stores such a file.',
        ),
      );
    return told;
  },

  collector({ own, shippers }, { now }) {
    const told: Told[] = [];
    if (own.state === 'failed')
      told.push(
        warning(
          `The collector of this Dyno does not ship: ${own.detail}.`,
          'Look at its log; runs go on without.',
        ),
      );
    if (own.state === 'missing')
      told.push(
        warning(
          `The collector of this Dyno is not there: ${own.detail}.`,
          'Build or install it, and start Dyno again, if results are to hold metrics of the nodes and their machines.',
        ),
      );
    for (const { name, lastSeen, periodMs, failing, error } of shippers) {
      if (isSilent({ lastSeen, periodMs }, now))
        told.push(
          warning(
            `The collector ${name} has been silent for ${ago(lastSeen, now)}.`,
            'If it was not ended on purpose, look at its log on that machine: journalctl -u dynobeat.',
          ),
        );
      else if (failing.length > 0)
        told.push(
          warning(
            `The collector ${name} reads nothing of ${failing.join(', ')}: ${error}.`,
            'Run "dynobeat test modules" on its machine.',
          ),
        );
    }
    return told;
  },

  schedules: ({ missed }) =>
    missed.map(({ experiment, at, why }) =>
      warning(
        `The schedule of ${experiment} started no run at ${at}: ${why}.`,
        'The list of experiments shows its missed times. Start a run yourself if you need that one.',
      ),
    ),

  certification({ going, last }, { parts }) {
    if (going) return [];
    const certify = 'Certify it on the page Collector, or by "dyno certify", which takes two minutes.';
    if (last === null)
      return [warning('The load generator of this machine has not been certified.', certify)];
    if (last.answer === 'not-certified')
      return [
        wrong(
          `The load generator of this machine is not certified: ${last.why}.`,
          `${certify} Until then, doubt its percentiles.`,
        ),
      ];
    if (last.answer === 'busy')
      return [warning(`The machine was too busy to certify its load generator: ${last.why}.`, certify)];
    const dyno = parts.versions.found?.dyno ?? last.dyno;
    if (last.dyno === dyno) return [];
    return [
      warning(`The load generator was certified with Dyno ${last.dyno}, and this is ${dyno}.`, certify),
    ];
  },

  disks: (disks) =>
    disks.flatMap(({ holds, freeBytes, totalBytes }) => {
      const free = freeBytes / totalBytes;
      if (!(free < DISK_LOW)) return [];
      const what = `The disk that holds ${holds.join(', ')} has ${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} left.`;
      const next = 'Free some of it: old runs, the cache folder and corpora can go.';
      return free < DISK_FULL
        ? [
            wrong(
              holds.includes('elasticsearch')
                ? `${what} Elasticsearch makes indices read-only at 95% of a disk.`
                : what,
              next,
            ),
          ]
        : [
            warning(
              holds.includes('elasticsearch')
                ? `${what} Elasticsearch puts no new shards on a disk from 85% on, so runs may not begin.`
                : what,
              next,
            ),
          ];
    }),

  machine({ availableBytes, totalBytes }) {
    if (availableBytes >= MEMORY_ENOUGH || availableBytes / totalBytes >= MEMORY_LOW) return [];
    return [
      warning(
        `The machine has ${formatBytes(availableBytes)} of ${formatBytes(totalBytes)} memory left.`,
        'End other programs, or give the embedded Elasticsearch a smaller heap ("dyno elasticsearch --heap"): a machine that swaps measures itself.',
      ),
    ];
  },
};

/** Parts that the results cluster is asked for. */
const ASKED_OF_RESULTS: readonly AboutPart[] = ['collector', 'runs', 'schedules'];

function judge<P extends AboutPart>(part: P, around: Around): Told[] {
  const { found, failure } = around.parts[part];
  if (found === null) {
    // It is told once that the cluster is away which is asked for them.
    if (around.parts.results.found === null && ASKED_OF_RESULTS.includes(part)) return [];
    // Without it nothing is measured or kept.
    const isGrave = part === 'results' || part === 'embedded';
    const what = `${TITLES[part]} could not be looked at: ${failure}.`.replace(/\.\.$/, '.');
    return [{ level: isGrave ? 'wrong' : 'warning', what, next: FAILED_NEXT[part] }];
  }
  // The key says which part it is.
  return JUDGES[part]?.(found as Found<P>, around) ?? [];
}

const TITLES: Readonly<Record<AboutPart, string>> = {
  versions: 'The versions',
  results: 'The results cluster',
  embedded: 'The embedded Elasticsearch',
  spool: 'The spool',
  collector: 'The collector',
  runs: 'The queue',
  schedules: 'The schedules',
  certification: 'The certification',
  disks: 'The disks',
  machine: 'The machine',
};

/** In the order of the parts; what is wrong before what may become so. */
export function aboutProblems({ host, parts, now }: Around): AboutProblem[] {
  const all = (Object.keys(parts) as AboutPart[]).flatMap((part) =>
    judge(part, { host, parts, now }).map((one) => ({ part, ...one })),
  );
  return [...all.filter(({ level }) => level === 'wrong'), ...all.filter(({ level }) => level === 'warning')];
}

/** A line for each part, for terminals and those who read a bundle. */
export function aboutLines({ parts }: About): string[] {
  const line = <P extends AboutPart>(part: P, words: (found: Found<P>) => string): string => {
    const { found, failure } = parts[part];
    return `${part}: ${found === null ? `could not be looked at (${failure})` : words(found as Found<P>)}`;
  };
  return [
    line('versions', ({ dyno, node, kibana, system }) =>
      [`Dyno ${dyno}`, `Node.js ${node}`, kibana === null ? '' : `Kibana ${kibana}`, system]
        .filter(Boolean)
        .join(', '),
    ),
    line('results', ({ url, version, health }) =>
      [`Elasticsearch ${version}`, url, health === null ? 'health unknown' : health.status].join(', '),
    ),
    line('embedded', (found) => (found === 'none' ? 'none' : `Elasticsearch ${found.version}`)),
    line('spool', ({ documents, waiting }) =>
      waiting.files === 0 && documents === 0
        ? 'nothing waits'
        : `${plural(waiting.files, 'file')}, ${formatBytes(waiting.bytes)}`,
    ),
    line('collector', ({ shippers }) => `${plural(shippers.length, 'collector')} in the last hour`),
    line('runs', (found) => `${plural(found.length, 'run')} under way or waiting`),
    line('schedules', ({ scheduled }) => `${plural(scheduled, 'experiment')} with a schedule`),
    line('certification', ({ last }) => (last === null ? 'none' : `${last.answer} at ${last.at}`)),
    line('disks', (found) =>
      found.map(({ holds, freeBytes }) => `${formatBytes(freeBytes)} free (${holds.join(', ')})`).join('; '),
    ),
    line('machine', ({ cores, availableBytes, totalBytes, load }) =>
      [
        plural(cores, 'core'),
        `${formatBytes(availableBytes)} of ${formatBytes(totalBytes)} memory available`,
        `load ${formatNumber(load)}`,
      ].join(', '),
    ),
  ];
}
