/** A run: all trials of a plan in their order, its state kept in the results after every step. */
import { definitionFor } from '../../common/experiment/cells';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { durationMs, warmupMs, type Definition } from '../../common/experiment/definition';
import type { RunDocument } from '../../common/measurement/run';
import type { TrialDocument } from '../../common/measurement/trial';
import { DynoError, messageOf } from '../../common/problem';
import { plural } from '../../common/analysis/wording';
import { formatDuration } from '../../common/units/format';
import type { ResultsWriter } from '../results/writer';
import type { Connection } from '../target/connection';
import { indexName, newRunId, thisCarrier, trialId } from './identity';
import { ProgressTeller } from './progress-teller';
import { newRun, RunRecord } from './run-record';
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
  results: ResultsWriter;
  /** The cluster that keeps the results. */
  resultsClient: ElasticsearchClient;
  resultsUuid: string;
  workerFile: string;
  workers?: number;
  version: string;
  allowedHosts?: readonly string[];
  listener: RunListener;
  /** An interrupted run that goes on: its document and the trials that it has completed. */
  resume?: { run: RunDocument; trials: TrialDocument[] };
}

export interface RunResult {
  run: RunDocument;
  trials: TrialDocument[];
}

export interface Execution {
  id: string;
  /** Resolves when the run has ended, however; rejects with a DynoError when the preflight refuses it: nothing then exists. */
  done: Promise<RunResult>;
  /** Ends the run orderly within seconds; `reason` is the sentence that is kept. */
  cancel(reason: string): void;
}

/** Runs the trials that are not done yet; returns why the run must end early, or ''. */
async function runTrials(
  input: RunInput,
  record: RunRecord,
  ready: Preflight,
  signal: AbortSignal,
): Promise<string> {
  const { definition, folder, connection, results, workerFile } = input;
  const { document } = record;
  const { plan, run, experiment } = document;
  const teller = new ProgressTeller(record, input.listener);
  const completed = new Set(record.trials.map(({ trial }) => trial.order));
  for (const planned of plan.trials) {
    if (completed.has(planned.order)) continue;
    if (signal.aborted) return '';
    const cell = plan.cells[planned.cell]!;
    const index = indexName(definition.index.name, run.id, planned.order);
    const id = trialId(run.id, planned.order);
    document.progress.current = id;
    // Before the index exists: whoever finds this run orphaned knows what to remove.
    run.indices = [...run.indices.filter((name) => name !== index), index];
    await record.save();
    teller.beginTrial({ order: planned.order, cell: cell.label, repetition: planned.repetition });
    const note = (message: string): void => record.note(message, 'warning', id);
    const marker = new TrialMarker(
      {
        cluster: { uuid: ready.cluster.uuid },
        run: { id: run.id },
        experiment: { id: experiment.id, name: experiment.name },
        trial: { id },
        cell: { id: cell.id, label: cell.label },
      },
      input.resultsClient,
      connection,
      note,
    );
    const { trial, fatal, left } = await executeTrial({
      run: { id: run.id },
      experiment: { id: experiment.id, name: experiment.name },
      trialId: id,
      index,
      planned,
      cell,
      definition: definitionFor(definition, cell),
      folder,
      connection,
      loadTarget: ready.loadTarget,
      workerFile,
      workers: ready.workers,
      signal,
      onBegin: (trial) => results.saveTrial(trial),
      onPhase: (phase, lengthMs) => teller.enter(phase, lengthMs),
      onSample: (sample, recent) => {
        results.addSample(sample);
        teller.sampled(recent);
      },
      onTimes: (times) => marker.tell(times),
      onNote: note,
    });
    await marker.settled();
    if (!left) run.indices = run.indices.filter((name) => name !== index);
    record.trials.push(trial);
    await results.saveTrial(trial);
    teller.endTrial();
    if (trial.trial.state === 'completed') document.progress.completed += 1;
    else record.note(`${id} ${trial.trial.state}: ${trial.trial.reason}`, 'error');
    await record.save();
    if (fatal !== '') return fatal;
  }
  teller.enter('done');
  return '';
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

async function execute(input: RunInput, record: RunRecord, signal: AbortSignal): Promise<RunResult> {
  const { document } = record;
  const ready = await preflight({ ...input, runId: document.run.id, plan: document.plan });
  document.provenance = ready.provenance;
  announce(record, ready);
  await record.save();
  record.beat();
  try {
    const fatal = await runTrials(input, record, ready, signal);
    if (signal.aborted) await record.end('cancelled', messageOf(signal.reason));
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

/** Begins a run, or goes on with an interrupted one. */
export function startRun(input: RunInput): Execution {
  const resumed = input.resume && structuredClone(input.resume.run);
  const document = resumed ?? newRun(newRunId(new Date()), input.definition);
  if (resumed)
    Object.assign(resumed.run, { state: 'running', reason: '', ended: null, carrier: thisCarrier() });
  const controller = new AbortController();
  return {
    id: document.run.id,
    done: execute(
      input,
      new RunRecord(document, input.resume?.trials ?? [], input.results, input.listener),
      controller.signal,
    ),
    cancel: (reason) => controller.abort(new Error(reason)),
  };
}
