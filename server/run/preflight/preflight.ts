/**
 * Performs all checks that are possible before a run begins (cluster, privileges, disk space, names, sources, settings). Also adds the
 * first notes to the run: for example about its target, its plan and possible problems.
 */
import os from 'node:os';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { type Definition, durationMs } from '../../../common/experiment/definition';
import { trialsText, untilDecided } from '../../../common/experiment/trial-counts';
import { footprintsOf } from '../../../common/experiment/disk-footprint';
import { copiedFrom } from '../../../common/experiment/preload';
import { preloadBytes, trialBytes, type Plan } from '../../../common/experiment/plan';
import type { NodeFacts, PlaceFacts, StartedFacts } from '../../../common/experiment/run';
import { discoverCluster, type Cluster, type Privileges } from '../../target-cluster/cluster';
import type { ClusterStarter } from '../../target-cluster/cluster-starter';
import type { TargetConnection } from '../../target-cluster/connection';
import {
  checkAllowedHosts,
  checkDiskSpace,
  checkHealth,
  checkIndexNames,
  type SpaceNeeded,
} from '../../target-cluster/guard-rails';
import { checkAllocation } from '../../target-cluster/allocation';
import { createIndex, dropIndex, readMappings } from '../../target-cluster/index-lifecycle';
import { readTargetClock } from '../../target-cluster/clocks';
import { unaskedParts } from '../../target-cluster/index-parts';
import { chooseLoadNodes, onThisMachine, type LoadNodes } from '../../target-cluster/load-nodes';
import { moduleWarnings, readModules } from '../../target-cluster/modules';
import { checkOneCluster } from '../../target-cluster/one-cluster';
import { checkAccess, CLOSE_SCROLLS } from '../../target-cluster/permissions';
import type { NodeProfiler } from '../../target-cluster/node-profiler';
import { nodeFacts } from '../../target-cluster/nodes';
import { profiledSearches } from '../../../common/tasks/profiled';
import type { LoadJob, LoadTarget } from '../../load/contract';
import { defaultWorkers } from '../../load/threads/shares';
import {
  checkMovedDates,
  checkParsing,
  checkReplays,
  checkSources,
  indicesToCreate,
  loadJob,
  parsesInTarget,
  seatsInTarget,
  sourceOf,
  wantsSeats,
  withOriginalMapping,
  type CellLoad,
  type FoundTarget,
} from '../trial/trials';
import { MORE_NEEDS } from '../../../common/privileges';
import { sayReading } from '../../../common/measurement/target-clock';
import type { UnaskedPart } from '../../../common/measurement/unasked';
import type { Certification } from '../../../common/measurement/certification';
import type { EffectiveSettings } from '../../../common/elasticsearch/defaults';
import { readEffectiveSettings } from '../../target-cluster/effective-settings';
import { takesTurns } from '../../../common/experiment/cluster-names';
import { environmentWarnings } from '../../../common/analysis/environments';
import { percentilesOutOfReach } from '../../../common/analysis/percentile-needs';
import { rampWarnings } from '../../../common/analysis/warnings';
import { cannotShow, cannotShowSentence, type KnownTarget } from '../../../common/analysis/cannot-show';
import { ENGINE_NAMES, engineOf, engineWithVersion, type Engine } from '../../../common/elasticsearch/engine';
import { dataNodesAmong } from '../../../common/elasticsearch/roles';
import { distinctParts, sayAllUnasked } from '../../../common/analysis/unasked';
import { listed } from '../../../common/analysis/wording';
import { environmentLabel } from '../../../common/experiment/environment';
import { missingFeatures, usesOf } from '../../../common/experiment/feature-uses';
import { isDataStream } from '../../../common/experiment/data-stream';
import { blocksOf, environmentsOf } from '../../../common/experiment/environment-blocks';
import { formatBytes, formatDuration, plural } from '../../../common/units/format';
import { inputError, messageOf, runError, DynoError } from '../../../common/problem';
import { thisProcess } from '../../process-life';
import { CHECK_MARK, indexName, indexNames, SHARED_MACHINE, type ActiveRun } from '../active-run/active-run';
import { checkBulkSizes, contentLimit } from './bulk-size';
import { checkCopiedData, checkExistingData, privilegesOnExisting, type CopiedData } from './existing';
import { blockNumber } from '../../../common/measurement/stored-names';
import { cellsOn } from './clusters';
import { loadProfiler } from './profiler';
import type { SourceClusters } from '../source-clusters';

export * from './clusters';

export interface PreflightInput {
  runId: string;
  definition: Definition;
  plan: Plan;
  /** Folder to which the paths of files in the definition are relative. */
  folder: string;
  connection: TargetConnection;
  sources: Pick<SourceClusters, 'to'>;
  /** Uuid of the results cluster. */
  resultsUuid: string;
  allowedHosts?: readonly string[];
  workerFile: string;
  workers?: number;
  version: string;
  /** Returns the last certification of this machine's load generator. Null if it was never certified. */
  certification?: () => Promise<Certification | null>;
  /** If Dyno started the cluster for the run: its requested version, memory and other properties. Undefined for any other target. */
  started?: StartedFacts;
  /** Starts clusters for runs. Undefined if Dyno runs where it must not start clusters. */
  clusters?: ClusterStarter;
  /** Profiles the nodes of the target. Undefined unless Dyno started them. */
  profiler?: NodeProfiler | undefined;
  /** Signal that cancels the preflight. It then ends before it creates the next temporary index. */
  signal?: AbortSignal;
}

export interface Preflight extends FoundTarget {
  place: PlaceFacts;
  /**
   * Facts about the target, such as its number of data nodes. They show which effects the experiment cannot measure there, such as an
   * effect of replicas on a single node.
   */
  known: KnownTarget;
  /** Sentences for the user that describe the existing data. */
  existing: string[];
  /** Warnings about checks that were not possible, and about differences from the definition. */
  notes: string[];
}

/**
 * Lets the target check the settings and mapping of each combination of factor levels. For each combination, creates and removes an empty
 * index. An invalid value is therefore found now, and not after hours. Also checks that replays find the dates that they move.
 *
 * Returns the settings and mappings that index templates of the target add. If environments have different engines, also returns the
 * effective settings of the first index, so that reports can compare the engines.
 */
async function proveCells({
  runId,
  definition,
  plan,
  connection,
  sources,
  started,
  signal,
}: PreflightInput): Promise<{ unasked: UnaskedPart[]; effective?: EffectiveSettings }> {
  const isRead = takesTurns(environmentsOf(plan.cells));
  let effective: EffectiveSettings | undefined;
  const proved = new Set<string>();
  const unasked: UnaskedPart[] = [];
  const mappingsOf = (names: readonly string[]): ReturnType<typeof readMappings> =>
    readMappings(connection, names, 'read the date fields in the mappings');
  for (const { index: cell, definition: own } of cellsOn(plan.cells, started)) {
    const movesDates = async (names: string[]): Promise<void> => {
      // The documents of `preload` can add date fields to the mapping, so only the trial knows them.
      if (own.preload?.source === undefined) await checkMovedDates(own, { names, mappingsOf });
    };
    if (own.index.existing !== undefined) {
      await movesDates([own.index.existing]);
      continue;
    }
    const { name, settings, mapping, allocation, as, lifecycle } = own.index;
    const original = own.preload && copiedFrom(own.preload);
    // The index name is part of the key, because index templates match by name.
    const shifts = own.tasks.flatMap(({ replay }) => (replay?.times === 'shift' ? [replay] : []));
    const body = JSON.stringify([name, settings, mapping, allocation, as, lifecycle, original, shifts]);
    if (proved.has(body)) continue;
    proved.add(body);
    signal?.throwIfAborted();
    if (typeof allocation === 'object') await checkAllocation(connection, allocation);
    const index = `${indexName(own.index.name, runId, cell)}-check`;
    const mark = { run: runId, trial: CHECK_MARK, experiment: definition.name, carrier: thisProcess() };
    // One index is enough: the indices of a trial differ only in the nodes to which they are allocated, and `checkAllocation` has checked
    // those.
    const source = await sourceOf({ definition: own, connection, sources });
    const probe = indicesToCreate(await withOriginalMapping(own, source), [index], mark);
    for (const wanted of probe) await createIndex(connection, wanted);
    let parts: UnaskedPart[] = [];
    try {
      await movesDates([index]);
      // A restored index has the parts of its original, and no index template changes it.
      if (own.preload?.['from-snapshot'] === undefined) parts = await unaskedParts(connection, probe);
      if (isRead) effective ??= await readEffectiveSettings(connection, index);
    } finally {
      await dropProbe(connection, index);
    }
    if (own.index.templates === 'refuse' && parts.length > 0) throw templatesRefused(parts);
    unasked.push(...parts);
  }
  return { unasked: distinctParts(unasked), ...(effective ? { effective } : {}) };
}

async function dropProbe(connection: TargetConnection, index: string): Promise<void> {
  try {
    await dropIndex(connection, index);
  } catch (error) {
    throw runError(
      'target.check-left',
      '',
      `${messageOf(error)}; the empty index ${index}, made to check the settings of a cell, could not be removed: Dyno removes it at its next start on this cluster`,
      error,
    );
  }
}

/**
 * Maximum number of settings and mappings from index templates that a note lists. If there are more, the note also contains the number of
 * the others.
 */
const MOST_PARTS = 20;

const additionsSentence = (parts: readonly UnaskedPart[]): string =>
  `the target adds to the indices what the definition does not ask for: ${sayAllUnasked(parts, MOST_PARTS)}. To refuse such runs, set index.templates: refuse`;

const templatesRefused = (parts: readonly UnaskedPart[]): DynoError =>
  inputError(
    'target.templates',
    'index.templates',
    `the target adds to the index what the definition does not ask for: ${sayAllUnasked(parts, MOST_PARTS)}`,
    {
      found: 'refuse',
      allowed:
        'an index.name that no template matches, the same settings and mapping in the definition, or index.templates: report',
    },
  );

/**
 * Returns what needs disk space in the target, with sizes as far as they are known before the run. Each inner list contains indices that
 * exist at the same time.
 */
function spaceNeeded({ definition, plan }: PreflightInput, { bytes }: CopiedData): SpaceNeeded[][] {
  // The size is known only if the number of documents is given. If a duration is given, the size depends on the speed of the cluster.
  const footprints = footprintsOf(
    definition,
    plan,
    (own) => (own.measure.documents === undefined ? 0 : trialBytes(own)),
    (own) => (own.preload && bytes.get(copiedFrom(own.preload))) ?? preloadBytes(own),
  );
  return footprints.flatMap(({ datasets, trials }) => trials.map((trial) => [...datasets, trial]));
}

/** Performs all checks. Throws or rejects with a DynoError that lists all problems. Leaves nothing behind in the target. */
export async function preflight(input: PreflightInput): Promise<Preflight> {
  const { runId, plan, connection, allowedHosts } = input;
  checkAllowedHosts(connection.urls, allowedHosts);
  await checkSources(input);
  const dead = await checkOneCluster(connection);
  const cluster = await discoverCluster(connection);
  checkHealth(cluster.health);
  const here = cellsOn(plan.cells, input.started);
  const cells = here.map(({ definition }) => definition);
  const plugins = cluster.serverless ? null : await readModules(connection);
  const offered = { ...cluster, plugins };
  const missing = missingFeatures(cells, offered);
  if (missing.length > 0) throw new DynoError('input', missing);
  const replayNotes = await checkReplays({
    ...input,
    targetOf: (cell) => (here.includes(cell) ? offered : undefined),
  });
  const lacking =
    cluster.engine === 'elasticsearch'
      ? moduleWarnings(
          plugins,
          cells.flatMap((cell) => usesOf(cell, cluster.engine)),
          cells.map(({ tasks }) => tasks),
        )
      : [];
  if (wantsSeats(input.definition) && input.resultsUuid === cluster.uuid) throw seatsInTarget();
  const making = plan.cells.filter(({ definition: own }) => own.index.existing === undefined);
  const names = new Set(making.map(({ definition: own }) => `${own.index.name}-*`));
  const beyond = privilegesBeyond(plan, cluster.engine);
  const unchecked = await checkAccess(connection, offered, [...names], beyond, privilegesOnExisting(plan));
  const sizeNotes = checkBulkSizes(plan, contentLimit(cluster.nodes));
  const existing = await checkExistingData(connection, plan);
  const copied = await checkCopiedData(input, cluster);
  const parseNotes = await checkParsing(input);
  await checkIndexNames(
    connection,
    plan.trials.flatMap(({ order, cell }) => {
      const { name, count, existing: isThere } = plan.cells[cell]!.definition.index;
      if (isThere !== undefined) return [];
      return indexNames(indexName(name, runId, order), count);
    }),
  );
  const spaceNotes = await checkDiskSpace(connection, spaceNeeded(input, copied));
  const loads = await chooseCellLoads(input, cluster);
  const profiler = await loadProfiler(input, cells);
  const { unasked, effective } = await proveCells(input);
  const clock = await readTargetClock(connection.atOnce);
  const apart = clock === null ? '' : sayReading(clock);

  const isHere = await onThisMachine(loads.urls);
  const { started } = input;
  const certification = (await input.certification?.()) ?? null;
  const facts = cluster.nodes.map(nodeFacts);
  return {
    cluster,
    loads: loads.cells,
    isHere,
    known: {
      startsClusters: input.clusters !== undefined,
      dataNodes: dataNodesAmong(facts),
      // The warnings about modules that the target lacks name scripts, too.
      runsScripts: true,
      ...(wantsSeats(input.definition) ? {} : { cores: os.availableParallelism() }),
    },
    profiler,
    unlike: started ? unlikeRequested(started, facts, cluster.engine) : '',
    place: {
      dyno: input.version,
      cluster: {
        name: cluster.name,
        uuid: cluster.uuid,
        engine: cluster.engine,
        version: cluster.version,
        url: connection.urls[0]!,
      },
      nodes: facts,
      generator: {
        host: os.hostname(),
        cores: os.availableParallelism(),
        memoryBytes: os.totalmem(),
        node: process.version,
        os: `${os.type()} ${os.release()}`,
        workers: Math.max(...loads.cells.map(({ workers }) => workers)),
      },
      resultsInTarget: input.resultsUuid === cluster.uuid,
      unasked,
      load: { nodes: loads.urls, past: loads.past },
      // If several machines generate the load, they are known only after they have joined the run.
      sharedMachine: isHere && !wantsSeats(input.definition),
      ...(started ? { started } : {}),
      ...(effective ? { effective } : {}),
      ...(certification === null ? {} : { certification }),
    },
    existing: [...existing, ...copied.sentences],
    notes: [
      ...dead,
      ...cluster.notes,
      ...loads.notes,
      ...sizeNotes,
      ...spaceNotes,
      ...replayNotes,
      ...lacking,
      ...(unchecked === '' ? [] : [unchecked]),
      ...parseNotes,
      ...(unasked.length === 0 ? [] : [additionsSentence(unasked)]),
      ...(apart === ''
        ? []
        : [
            `${apart}: dates in documents and requests follow the target’s clock; synchronise both clocks, for example with NTP`,
          ]),
    ],
  };
}

/** For each combination of factor levels: the nodes to which its load goes, and the number of load threads. Factors may change both. */
export interface CellLoads {
  /** One element for each combination of factor levels, in the order of the plan. */
  cells: CellLoad[];
  /** Base URLs of all nodes that receive load. */
  urls: string[];
  /** Reasons why the load does not go to the requested nodes. */
  notes: string[];
  /** Sentence that names the hosts of the target that receive no load; '' if every host receives load. */
  past: string;
}

export interface CellLoadsInput {
  plan: Pick<Plan, 'cells'>;
  /** Folder to which the paths of files in the definition are relative. */
  folder: string;
  connection: TargetConnection;
  allowedHosts?: readonly string[];
  /**
   * Number of load threads of each trial. If undefined, it depends on the clients of the trial and on `cores`, the number of cores of this
   * machine.
   */
  workers?: number;
  cores?: number;
}

/** Chooses the nodes and the number of load threads for each combination of factor levels. */
export async function chooseCellLoads(
  { plan, folder, connection, allowedHosts, workers, cores = os.availableParallelism() }: CellLoadsInput,
  { nodes, engine }: Pick<Cluster, 'nodes' | 'engine'>,
): Promise<CellLoads> {
  const spreads = new Set(plan.cells.map(({ definition }) => definition.spread));
  const chosen = new Map<string, LoadNodes>();
  for (const spread of spreads)
    chosen.set(spread, await chooseLoadNodes(connection, nodes, spread, allowedHosts));
  const limit = contentLimit(nodes);
  let isUnprofiled = false;
  const cells = plan.cells.map(({ definition }): CellLoad => {
    const target: LoadTarget = {
      engine,
      nodes: chosen.get(definition.spread)!.urls,
      headers: { ...connection.headers },
      ca: connection.ca,
      verifyCertificates: connection.verifyCertificates,
      requestTimeoutMs: 0,
      ...(limit === undefined ? {} : { maxContentBytes: limit }),
    };
    const job = loadJob(definition, { indices: [], target, folder, trialSeed: '' });
    isUnprofiled ||= profilesNothing(definition, job);
    return { target, workers: workers ?? defaultWorkers(job, cores) };
  });
  const all = [...chosen.values()];
  return {
    cells,
    urls: [...new Set(all.flatMap(({ urls }) => urls))],
    notes: [...new Set(all.flatMap(({ notes }) => notes)), ...(isUnprofiled ? [PROFILES_NOTHING] : [])],
    past: all.flatMap(({ past = '' }) => past).find(Boolean) ?? '',
  };
}

/** Returns whether the definition asks for profiles of searches, but no task sends searches that can be profiled. */
const profilesNothing = ({ measure }: CellDefinition, { tasks }: LoadJob): boolean =>
  measure['profile-searches'] === true &&
  tasks.every(({ operation }) => profiledSearches(operation).requests.length === 0);

const PROFILES_NOTHING =
  '`measure.profile-searches` profiles nothing: only single requests to the API `_search` of tasks of the kinds `search` and `requests` can be profiled';

/**
 * Index privilege that a run needs if it clones indices, clears caches, force-merges or reads the size of fields. No weaker privilege
 * allows all of these.
 */
const REUSING = 'manage';

/** Returns the privileges that this run needs in addition to those that every run needs. */
export function privilegesBeyond(plan: Plan, engine: Engine = 'elasticsearch'): Privileges {
  const cells = plan.cells.map(({ definition }) => definition);
  const changesCluster = cells.some(({ cluster }) => Object.keys(cluster.settings).length > 0);
  const makesStreams = cells.some(({ index }) => isDataStream(index));
  const restores = cells.some(({ preload }) => preload?.['from-snapshot'] !== undefined);
  const closesScrolls =
    engine === 'opensearch' &&
    cells.some((own) =>
      usesOf(own, engine).some(({ aspect, name }) => aspect === 'request' && name === 'scroll'),
    );
  const reuses = cells.some(
    ({ preload, measure, index: { existing } }) =>
      existing === undefined &&
      ((preload !== undefined && preload.reuse !== 'never') ||
        measure.caches === 'cold' ||
        measure['force-merge'] !== undefined ||
        measure['disk-usage'] === true),
  );
  return {
    cluster: [
      ...(changesCluster ? [MORE_NEEDS.cluster] : []),
      ...(parsesInTarget(plan) ? [MORE_NEEDS.pipelines] : []),
      ...(makesStreams ? [MORE_NEEDS.streams] : []),
      ...(restores ? [MORE_NEEDS.snapshots] : []),
      ...(closesScrolls ? [CLOSE_SCROLLS] : []),
    ],
    index: reuses || makesStreams ? [REUSING] : [],
  };
}

const STARTED_HERE =
  'the cluster under test was started for this run, on the machine of the embedded Elasticsearch: both share its cores';

/** Adds notes to the run that the user needs to know before the load begins. */
export function addOpeningNotes(
  activeRun: ActiveRun,
  { notes, place, unlike, existing, known }: Preflight,
): void {
  const { cluster, sharedMachine, resultsInTarget } = place;
  const { plan } = activeRun;
  const { definition, run } = activeRun.document;
  activeRun.note(`run ${run.id}: ${definition.name}`);
  activeRun.note(
    `target: ${engineWithVersion(cluster)} at ${cluster.url} (${plural(place.nodes.length, 'node')})`,
  );
  activeRun.note(
    `plan: ${plural(plan.cells.length, 'cell')} x ${trialsText(definition.trials)}, ${untilDecided(definition.trials) === null ? 'about' : 'at most'} ${formatDuration(plan.estimate.ms)}`,
  );
  if (place.load?.past) activeRun.note(place.load.past);
  for (const sentence of existing) activeRun.note(sentence);
  for (const sentence of environmentSentences(activeRun)) activeRun.note(sentence);
  for (const warning of environmentWarnings(activeRun.document.provenance))
    activeRun.note(warning, 'warning');
  for (const hidden of [
    ...cannotShow(plan, known, activeRun.block.environment),
    ...percentilesOutOfReach(plan),
  ])
    activeRun.note(cannotShowSentence(hidden), 'warning');
  for (const ramp of rampWarnings(plan)) activeRun.note(ramp, 'warning');
  for (const note of notes) activeRun.note(note, 'warning');
  if (unlike !== '') activeRun.note(`the cluster differs from the requested one: ${unlike}`, 'warning');
  if (place.started) activeRun.note(STARTED_HERE);
  if (sharedMachine) activeRun.note(SHARED_MACHINE);
  if (resultsInTarget) activeRun.note('results are stored in the cluster under test');
  const longest = Math.max(...plan.cells.map((cell) => longestInterval(cell.definition)));
  if (longest > 0)
    activeRun.note(
      `the refresh interval of ${formatDuration(longest)} is longer than the measured phase: it never refreshes`,
      'warning',
    );
}

/** Returns sentences that show the user the current environment of the run, and the environments that follow. */
function environmentSentences(activeRun: ActiveRun): string[] {
  const { plan } = activeRun;
  const { progress } = activeRun.document;
  const labels = blocksOf(plan).map(({ environment }) => environmentLabel(environment));
  const at = blockNumber(progress);
  const label = labels[at]!;
  if (labels.length === 1) return label === '' ? [] : [`environment: ${label}`];
  const next = labels.slice(at + 1);
  return [
    `environment ${at + 1} of ${labels.length}: ${label || 'without labels'}` +
      (next.length === 0
        ? ''
        : `; afterwards the run ${activeRun.continues ? 'continues with' : 'waits for'} ${listed(next, 4)}`),
  ];
}

/**
 * Returns the refresh interval of a trial in ms if it is longer than warm-up and measured phase together. Otherwise, or if the trial stores
 * no documents, returns 0.
 */
function longestInterval({ tasks, index: { refreshMs, existing }, measure }: CellDefinition): number {
  // For existing data, the definition does not contain the refresh interval.
  if (existing !== undefined) return 0;
  if (tasks.every(({ ingest }) => ingest === undefined)) return 0;
  if (refreshMs === null || measure.duration === undefined) return 0;
  return refreshMs > durationMs(measure.duration) + durationMs(measure.warmup) ? refreshMs : 0;
}

/**
 * Relative difference between the requested and the actual heap size that is tolerated. The JVM rounds the heap to whole regions, or does
 * not count a survivor space.
 */
const HEAP_TOLERANCE = 0.05;

/** Describes how the nodes differ from what was requested. Returns '' if they do not differ. */
export function unlikeRequested(
  requested: StartedFacts,
  nodes: readonly NodeFacts[],
  engine: Engine = 'elasticsearch',
): string {
  const versions = [...new Set(nodes.map(({ version }) => version))];
  const heaps = [...new Set(nodes.map(({ heapBytes }) => heapBytes))];
  const isOther = (heap: number): boolean =>
    Math.abs(heap - requested.heapBytes) > requested.heapBytes * HEAP_TOLERANCE;
  return [
    nodes.length === requested.nodes ? '' : `${plural(nodes.length, 'node')} instead of ${requested.nodes}`,
    engine === engineOf(requested) && versions.every((version) => version === requested.version)
      ? ''
      : `${ENGINE_NAMES[engine]} ${versions.join(', ')} instead of ${engineWithVersion(requested)}`,
    heaps.some(isOther)
      ? `heap ${heaps.map((heap) => formatBytes(heap)).join(', ')} instead of ${formatBytes(requested.heapBytes)}`
      : '',
  ]
    .filter(Boolean)
    .join('; ');
}
