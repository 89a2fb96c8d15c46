/**
 * Determines the problems of Dyno's parts from the results of their checks. A problem has one sentence that describes it, and one sentence
 * about what to do next.
 */
import type { About, AboutPart, AboutParts, AboutProblem, Found } from '../api/about';
import { isSilent } from './silence';
import { formatBytes, formatDuration, formatNumber, plural } from '../units/format';
import { parseTime } from '../units/time';

type PartProblem = Omit<AboutProblem, 'part'>;

interface Around {
  host: About['host'];
  /** Time of the checks, in ms since the epoch. */
  now: number;
  parts: AboutParts;
}

/**
 * A disk with a smaller free share causes a warning. Elasticsearch allocates no more shards to a disk that is 85% full, and makes its
 * indices read-only when it is 95% full.
 */
const DISK_LOW = 0.15;
const DISK_FULL = 0.05;
/** A machine with a smaller free share of its memory causes a warning, because it may swap or kill processes. */
const MEMORY_LOW = 0.08;
/** Number of free bytes of memory that never cause a warning, however small their share of the machine's memory is. */
const MEMORY_ENOUGH = 1024 ** 3;
/**
 * Maximum time, in ms, that result files may wait on the local disk while the results cluster is reachable. After it, an administrator has
 * to act.
 */
const WAITS_LONG_MS = 2 * 60_000;

const wrong = (what: string, next: string): PartProblem => ({ level: 'wrong', what, next });
const warning = (what: string, next: string): PartProblem => ({ level: 'warning', what, next });

const ago = (iso: string, now: number): string => formatDuration(Math.max(0, now - parseTime(iso)));

/** Advice for each part if the check of this part failed. */
const FAILED_NEXT: Readonly<Record<AboutPart, string>> = {
  versions: 'Report it with the support bundle.',
  results:
    'Start that cluster, or check its address and the credentials that Dyno has for it. Until it answers, results wait in the spool.',
  embedded: 'Look at its log, node-1/logs/console.log in the folder of the embedded Elasticsearch.',
  spool: 'Check that the data folder exists and that the user of Dyno can read it.',
  collector: 'It is read from the results cluster: see there.',
  runs: 'It is read from the results cluster: see there.',
  schedules: 'It is read from the cluster that stores experiments: see the results cluster.',
  certification: 'Check that the data folder exists and that the user of Dyno can read it.',
  disks: 'Check that the data folder exists and that the user of Dyno can read it.',
  machine: 'Report it with the support bundle.',
};

const JUDGES: { readonly [P in AboutPart]?: (found: Found<P>, around: Around) => PartProblem[] } = {
  results({ health }) {
    if (health === null || health.status === 'green') return [];
    const shards = plural(health.unassignedShards, 'shard');
    if (health.status === 'red')
      return [
        wrong(
          `The results cluster is red: ${shards} without a node, including primary shards, so results are missing or cannot be written.`,
          'To find out why, send GET _cluster/allocation/explain to that cluster. Until then, results of runs wait in the spool.',
        ),
      ];
    // A cluster with one node cannot assign replicas, so nothing is missing if they are unassigned.
    if (health.nodes < 2) return [];
    return [
      warning(
        `The results cluster is yellow: ${shards} without a node, only replicas. Nothing is missing.`,
        'If that lasts longer than a few minutes, send GET _cluster/allocation/explain to that cluster to find out why.',
      ),
    ];
  },

  spool({ waiting, others, kept }, { now, parts }) {
    const problems: PartProblem[] = [];
    const isAnswering = parts.results.found !== null;
    if (waiting.since !== null) {
      const what = `${plural(waiting.files, 'file')} of results (${formatBytes(waiting.bytes)}) have waited for the results cluster for ${ago(waiting.since, now)}.`;
      if (!isAnswering)
        problems.push(
          warning(what, 'They are stored automatically once it responds. Do not delete the spool.'),
        );
      else if (now - parseTime(waiting.since) > WAITS_LONG_MS)
        problems.push(
          warning(
            `${what} The cluster responds, but has not stored them.`,
            'Check whether its disk is full or an index is read-only. Files of a process that died are stored by the next run or start.',
          ),
        );
    }
    for (const { cluster, files, bytes, since } of others)
      problems.push(
        warning(
          `${plural(files, 'file')} of results (${formatBytes(bytes)}) wait for another cluster, ${cluster}${since === null ? '' : `, the oldest for ${ago(since, now)}`}.`,
          'Use that cluster for the results again to store them. They are never stored in another cluster.',
        ),
      );
    if (kept > 0)
      problems.push(
        warning(
          `${plural(kept, 'file')} of results could not be stored because of conflicts with documents of other processes.`,
          'Look at the folder kept in the spool; "dyno results import FILE" stores such a file.',
        ),
      );
    return problems;
  },

  collector({ own, shippers }, { now }) {
    const problems: PartProblem[] = [];
    if (own.state === 'failed')
      problems.push(
        warning(
          `The collector of this Dyno sends nothing: ${own.detail}.`,
          'Look at its log. Runs continue without it.',
        ),
      );
    if (own.state === 'missing')
      problems.push(
        warning(
          `The collector of this Dyno is missing: ${own.detail}.`,
          'If results should contain metrics of the nodes and their machines, build or install it and restart Dyno.',
        ),
      );
    for (const { name, lastSeen, periodMs, failing, error } of shippers) {
      if (isSilent({ lastSeen, periodMs }, now))
        problems.push(
          warning(
            `The collector ${name} has been silent for ${ago(lastSeen, now)}.`,
            'If it was not stopped on purpose, look at its log on that machine: journalctl -u dynobeat.',
          ),
        );
      else if (failing.length > 0)
        problems.push(
          warning(
            `The collector ${name} cannot read ${failing.join(', ')}: ${error}.`,
            'Run "dynobeat test modules" on its machine.',
          ),
        );
    }
    return problems;
  },

  schedules: ({ missed }) =>
    missed.map(({ experiment, at, why }) =>
      warning(
        `The schedule of ${experiment} did not start a run at ${at}: ${why}.`,
        'The list of experiments shows its missed times. Start a run manually if you need it.',
      ),
    ),

  certification({ going, last }, { parts }) {
    if (going) return [];
    const certify = 'Certify it on the page Collector, or with "dyno certify". That takes two minutes.';
    if (last === null)
      return [warning('The load generator of this machine has not been certified.', certify)];
    if (last.answer === 'not-certified')
      return [
        wrong(
          `The load generator of this machine is not certified: ${last.why}.`,
          `${certify} Until then, do not rely on its percentiles.`,
        ),
      ];
    if (last.answer === 'busy')
      return [warning(`The machine was too busy to certify its load generator: ${last.why}.`, certify)];
    const dyno = parts.versions.found?.dyno ?? last.dyno;
    if (last.dyno === dyno) return [];
    return [
      warning(`The load generator was certified with Dyno ${last.dyno}, but this is ${dyno}.`, certify),
    ];
  },

  disks: (disks) =>
    disks.flatMap(({ holds, freeBytes, totalBytes }) => {
      const free = freeBytes / totalBytes;
      if (!(free < DISK_LOW)) return [];
      const what = `The disk with ${holds.join(', ')} has ${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} left.`;
      const next = 'Free some space: delete old runs, the cache folder or corpora.';
      return free < DISK_FULL
        ? [
            wrong(
              holds.includes('elasticsearch')
                ? `${what} Elasticsearch makes indices read-only if a disk is 95% full.`
                : what,
              next,
            ),
          ]
        : [
            warning(
              holds.includes('elasticsearch')
                ? `${what} Elasticsearch allocates no new shards to a disk that is 85% full, so runs may not begin.`
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
        'Stop other programs, or give the embedded Elasticsearch a smaller heap ("dyno elasticsearch --heap"). Swapping distorts measurements.',
      ),
    ];
  },
};

/** Parts whose state is read from the results cluster. If this cluster is unreachable, no separate problem is reported for these parts. */
const ASKED_OF_RESULTS: readonly AboutPart[] = ['collector', 'runs', 'schedules'];

function judge<P extends AboutPart>(part: P, around: Around): PartProblem[] {
  const { found, failure } = around.parts[part];
  if (found === null) {
    // If the results cluster cannot be reached, this is reported only once, and not for each part that is read from it.
    if (around.parts.results.found === null && ASKED_OF_RESULTS.includes(part)) return [];
    // Without these two, nothing is measured or stored.
    const isGrave = part === 'results' || part === 'embedded';
    const what = `${TITLES[part]} could not be checked: ${failure}.`.replace(/\.\.$/, '.');
    return [{ level: isGrave ? 'wrong' : 'warning', what, next: FAILED_NEXT[part] }];
  }
  // The type follows from the key.
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

/**
 * Returns all problems of Dyno's parts. Problems of level `wrong` come before warnings. Within a level, they have the order of the keys of
 * `parts`.
 */
export function aboutProblems({ host, parts, now }: Around): AboutProblem[] {
  const all = (Object.keys(parts) as AboutPart[]).flatMap((part) =>
    judge(part, { host, parts, now }).map((one) => ({ part, ...one })),
  );
  return [...all.filter(({ level }) => level === 'wrong'), ...all.filter(({ level }) => level === 'warning')];
}

/** Returns one line for each part, for the terminal and for support bundles. */
export function aboutLines({ parts }: About): string[] {
  const line = <P extends AboutPart>(part: P, words: (found: Found<P>) => string): string => {
    const { found, failure } = parts[part];
    return `${part}: ${found === null ? `could not be checked (${failure})` : words(found as Found<P>)}`;
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
    line('runs', (found) => `${plural(found.length, 'run')} running or waiting`),
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
