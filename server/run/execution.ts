/** A run: all trials of a plan in their order, its state kept in the results after every step. */
import { definitionFor } from '../../common/experiment/cells';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { durationMs, warmupMs, type Definition } from '../../common/experiment/definition';
import type { PlannedTrial } from '../../common/experiment/plan';
import { markOf } from '../../common/measurement/experiment-mark';
import type { RunDocument } from '../../common/measurement/run';
import type { TrialDocument } from '../../common/measurement/trial';
import { DynoError, messageOf, runError } from '../../common/problem';
import { plural } from '../../common/analysis/wording';
import { formatDuration } from '../../common/units/format';
import type { ResultsReader } from '../results/reader';
import type { Connection } from '../target/connection';
import { addCollected } from './collected';
import { indexName, isCarried, newRunId, thisCarrier, trialId } from './identity';
import { ProgressTeller } from './progress-teller';
import { withClusterSettings } from './replaced-settings';
import { newRun, RunRecord, type RunWriter } from './run-record';
import { preflight, type Preflight } from './preflight';
import type { RunListener } from './progress';
import { executeTrial } from './trial';
import { TrialMarker } from './trial-marker';

/** How long the end of a run waits for its last results to be stored, ms; then they stay in the spool. */
const FLUSH_TIMEOUT_MS = 15_000;

export interface RunInput {
  definition: Definition;
  /** Folder that the definition's files are relative to. */
  folder: string;
  connection: Connection;
  results: RunWriter;
  reader: ResultsReader;
  /** The cluster that keeps the results. */
  resultsClient: ElasticsearchClient;
  resultsUuid: string;
  workerFile: string;
  workers?: number;
  version: string;
  allowedHosts?: readonly string[];
  listener: RunListener;
  /** A run that is kept already, interrupted or queued: its document and the trials that it has completed. */
  resume?: { run: RunDocument; trials: TrialDocument[] };
  /** Its state where the preflight refuses it: `done` then resolves. Without it `done` rejects and nothing is kept of it. */
  refused?: 'failed' | 'interrupted';
}

export interface RunResult {
  run: RunDocument;
  trials: TrialDocument[];
}

export interface Execution {
  id: string;
  /** Resolves when the run has ended, however; rejects with a DynoError when the preflight refuses it: nothing then exists. */
  done: Promise<RunResult>;
  /** Ends the run orderly within seconds; `reason` is the sentence that is kept. As `interrupted` it can go on later. */
  cancel(reason: string, state?: 'cancelled' | 'interrupted'): void;
}

/** What a run holds while its trials go on. */
interface Going {
  input: RunInput;
  record: RunRecord;
  ready: Preflight;
  teller: ProgressTeller;
  signal: AbortSignal;
}

/** The part of a trial's input that is the same whatever becomes of its samples. */
function trialInput(
  { input, record, ready, signal }: Going,
  planned: PlannedTrial,
  index: string,
  id: string,
) {
  const { plan, run, experiment, definition } = record.document;
  const cell = plan.cells[planned.cell]!;
  return {
    run: { id: run.id },
    experiment: markOf(experiment),
    trialId: id,
    index,
    planned,
    cell,
    definition: definitionFor(definition, cell),
    folder: input.folder,
    connection: input.connection,
    loadTarget: ready.loadTarget,
    workerFile: input.workerFile,
    workers: ready.workers,
    signal,
  };
}

/** Runs a trial while the cluster has the settings of its cell. Rejects with a DynoError when they cannot be set. */
const onCluster = (
  { input, record, ready }: Going,
  { settings }: Definition['cluster'],
  work: () => ReturnType<typeof executeTrial>,
): ReturnType<typeof executeTrial> =>
  withClusterSettings(
    { connection: input.connection, clusterUuid: ready.cluster.uuid },
    settings,
    {
      run: record.document.run,
      save: () => record.save(),
      onNote: (message) => record.note(message, 'warning'),
    },
    work,
  );

/** Runs `work` on an index that the run's document names as long as it stands: whoever finds an orphan removes it. */
async function onIndex(
  { record }: Going,
  index: string,
  work: () => ReturnType<typeof executeTrial>,
): ReturnType<typeof executeTrial> {
  const { run } = record.document;
  run.indices = [...run.indices.filter((name) => name !== index), index];
  await record.save();
  const result = await work();
  if (!result.left) run.indices = run.indices.filter((name) => name !== index);
  return result;
}

/** Load that counts for nothing, so that the first trial does not pay for a cluster that was just started. */
async function burnIn(going: Going): Promise<string> {
  const { record, teller } = going;
  const { measure, index: base } = record.document.definition;
  const lengthMs = durationMs(measure['burn-in']);
  if (lengthMs === 0) return '';
  const { run, plan } = record.document;
  const index = `${base.name}-${run.id}-burn-in`;
  const shared = trialInput(going, plan.trials[0]!, index, `${run.id}-burn-in`);
  const duration = { 'burn-in': '0s', warmup: '0s', duration: measure['burn-in'], drain: measure.drain };
  const { fatal } = await onIndex(going, index, () =>
    executeTrial({
      ...shared,
      definition: { ...shared.definition, measure: duration },
      onBegin: () => Promise.resolve(),
      onPhase: (phase) => phase === 'measure' && teller.enter('burn-in', lengthMs),
      onSample: () => teller.tell(),
      onTimes: () => undefined,
      onNote: (message) => record.note(message, 'warning', 'burn-in'),
    }),
  );
  return fatal;
}

/** Runs one trial and keeps what it told; returns why the run must end early, or ''. */
async function runTrial(going: Going, planned: PlannedTrial): Promise<string> {
  const { input, record, ready, teller } = going;
  const { document } = record;
  const id = trialId(document.run.id, planned.order);
  const index = indexName(document.definition.index.name, document.run.id, planned.order);
  const shared = trialInput(going, planned, index, id);
  const { run, experiment, cell } = shared;
  const note = (message: string): void => record.note(message, 'warning', id);
  const cluster = { uuid: ready.cluster.uuid };
  const { id: experimentId, name } = experiment;
  const marked = {
    cluster,
    run,
    experiment: { id: experimentId, name },
    trial: { id },
    cell: { id: cell.id, label: cell.label },
  };
  const marker = new TrialMarker(marked, input.resultsClient, input.connection, note);
  document.progress.current = id;
  teller.beginTrial({ order: planned.order, cell: cell.label, repetition: planned.repetition });
  const trialOnIndex = (): ReturnType<typeof executeTrial> =>
    onIndex(going, index, () =>
      executeTrial({
        ...shared,
        onBegin: (begun) => input.results.saveTrial(begun),
        onPhase: (phase, lengthMs) => teller.enter(phase, lengthMs),
        onSample: (sample, recent) => {
          input.results.addSample(sample);
          teller.sampled(recent);
        },
        onTimes: (times) => marker.tell(times),
        onNote: note,
      }),
    );
  const { trial, fatal } = await onCluster(going, shared.definition.cluster, trialOnIndex);
  await marker.settled();
  record.trials.push(trial);
  await input.results.saveTrial(trial);
  teller.endTrial();
  if (trial.trial.state === 'completed') document.progress.completed += 1;
  else
    record.note(
      `${id} ${trial.trial.state}: ${trial.trial.reason}`,
      trial.trial.state === 'failed' ? 'error' : 'warning',
    );
  await record.save();
  return fatal;
}

/** Runs the trials that are not done yet; returns why the run must end early, or ''. */
async function runTrials(
  input: RunInput,
  record: RunRecord,
  ready: Preflight,
  signal: AbortSignal,
): Promise<string> {
  const teller = new ProgressTeller(record, input.listener);
  const going: Going = { input, record, ready, teller, signal };
  const done = new Set(record.trials.map(({ trial }) => trial.order));
  let fatal = await burnIn(going);
  for (const planned of record.document.plan.trials) {
    if (fatal !== '' || signal.aborted) return fatal;
    if (!done.has(planned.order)) fatal = await runTrial(going, planned);
  }
  if (fatal === '' && !signal.aborted) teller.enter('done');
  return fatal;
}

/** What the reader should hear before the load begins. */
function announce(record: RunRecord, { notes, provenance }: Preflight): void {
  const { cluster, sharedMachine, resultsInTarget } = provenance;
  const { plan, definition, run } = record.document;
  record.note(`run ${run.id}: ${definition.name}`);
  record.note(
    `target: Elasticsearch ${cluster.version} at ${cluster.url} (${plural(provenance.nodes.length, 'node')})`,
  );
  record.note(
    `plan: ${plural(plan.cells.length, 'cell')} x ${plural(definition.trials, 'trial')}, about ${formatDuration(plan.estimate.ms)}`,
  );
  for (const note of notes) record.note(note, 'warning');
  if (sharedMachine) record.note('the load is generated on the machine of the target: both share its cores');
  if (resultsInTarget) record.note('results are stored in the cluster under test');
  const longest = Math.max(...plan.cells.map((cell) => longestInterval(definitionFor(definition, cell))));
  if (longest > 0)
    record.note(
      `a refresh interval of ${formatDuration(longest)} is longer than what is measured: it never refreshes`,
      'warning',
    );
}

/** The refresh interval of a cell where the measured phase is shorter, ms; else 0. */
function longestInterval(definition: Definition): number {
  const interval =
    definition.index.settings['refresh_interval'] ?? definition.index.settings['index.refresh_interval'];
  const { duration } = definition.measure;
  if (typeof interval !== 'string' || !/^\d+(ms|s|m|h)$/.test(interval) || duration === undefined) return 0;
  return durationMs(interval) > durationMs(duration) + warmupMs(definition) ? durationMs(interval) : 0;
}

/**
 * Rejects with a DynoError when another run, begun before this one, is at work on the same cluster: both would measure
 * each other. Asked once this run is stored itself, so that of two that begin together one is the earlier for both.
 * `since`: when this one began, or goes on after an interruption, ISO 8601.
 */
async function checkAlone(
  reader: ResultsReader,
  { run, provenance }: RunDocument,
  since: string,
): Promise<void> {
  const others = await reader.findUnfinishedRuns();
  const earlier = others.find(
    (other) =>
      other.run.id !== run.id &&
      other.run.state === 'running' &&
      other.provenance?.cluster.uuid === provenance?.cluster.uuid &&
      `${other.run.started} ${other.run.id}` < `${since} ${run.id}` &&
      isCarried(other, Date.now()),
  );
  if (!earlier) return;
  const who = `run ${earlier.run.id} (${earlier.experiment.name}, process ${earlier.run.carrier.pid} on ${earlier.run.carrier.host})`;
  throw runError(
    'target.busy',
    '',
    `${who} is at work on this cluster: both would measure each other; wait for its end`,
  );
}

/** A signal whose abort ends a run, in a state. */
interface Ending {
  signal: AbortSignal;
  state: 'cancelled' | 'interrupted';
}

/** Null where the preflight refused a run that is kept all the same. */
async function makeReady(input: RunInput, record: RunRecord, ending: Ending): Promise<Preflight | null> {
  const { document } = record;
  const asked = { ...input, runId: document.run.id, plan: document.plan };
  if (input.refused === undefined) return await preflight(asked);
  await record.save();
  record.beat();
  try {
    return await preflight({ ...asked, signal: ending.signal });
  } catch (error) {
    const { aborted } = ending.signal;
    record.note(messageOf(error), aborted ? 'warning' : 'error');
    await record.end(aborted ? ending.state : input.refused, messageOf(error));
    if (!(error instanceof DynoError) && !aborted) throw error;
    return null;
  } finally {
    record.rest();
  }
}

async function execute(input: RunInput, record: RunRecord, ending: Ending): Promise<RunResult> {
  const { document } = record;
  const { signal } = ending;
  const since = input.resume ? new Date().toISOString() : document.run.started;
  const ready = await makeReady(input, record, ending);
  if (ready === null) return { run: document, trials: record.trials };
  document.provenance = ready.provenance;
  announce(record, ready);
  await record.save();
  record.beat();
  try {
    await checkAlone(input.reader, document, since);
    const fatal = await runTrials(input, record, ready, signal);
    await addCollected({
      record,
      client: input.resultsClient,
      saveTrial: (trial) => input.results.saveTrial(trial),
      signal,
    });
    if (signal.aborted) await record.end(ending.state, messageOf(signal.reason));
    else if (fatal !== '') await record.end('failed', fatal);
    else await record.end('completed', '');
  } catch (error) {
    await record.end('failed', messageOf(error));
    if (!(error instanceof DynoError)) throw error;
  } finally {
    record.rest();
    await input.results.flush(FLUSH_TIMEOUT_MS);
  }
  return { run: document, trials: record.trials };
}

/** Begins a run, or goes on with one that is kept already. */
export function startRun(input: RunInput): Execution {
  const resumed = input.resume && structuredClone(input.resume.run);
  const document = resumed ?? newRun(newRunId(new Date()), input.definition);
  if (resumed)
    Object.assign(resumed.run, { state: 'running', reason: '', ended: null, carrier: thisCarrier() });
  const controller = new AbortController();
  const ending: Ending = { signal: controller.signal, state: 'cancelled' };
  return {
    id: document.run.id,
    done: execute(
      input,
      new RunRecord(document, input.resume?.trials ?? [], input.results, input.listener),
      ending,
    ),
    cancel: (reason, state = 'cancelled') => {
      if (!controller.signal.aborted) ending.state = state;
      controller.abort(new Error(reason));
    },
  };
}
