/** The document of a run, and all operations that change it: events, heartbeat, end. */
import { labelsOf } from '../../../common/experiment/requested-cluster';
import { judge } from '../../../common/analysis/verdict';
import type { Definition } from '../../../common/experiment/definition';
import { environmentLabel, type Environment } from '../../../common/experiment/environment';
import {
  makePlan,
  type PlannedTrial,
  resolvePlan,
  storedPlan,
  type Plan,
} from '../../../common/experiment/plan';
import { blocksOf, type PlannedBlock } from '../../../common/experiment/environment-blocks';
import { experimentMark } from '../../../common/experiment/experiment-mark';
import {
  ACTIVE_STATES,
  failedTrials,
  type BlockFacts,
  type PlaceFacts,
  type RunDocument,
  type RunEvent,
  type RunState,
} from '../../../common/experiment/run';
import { historyRunOf } from '../../../common/history/history-run';
import type { Progress } from '../../../common/measurement/progress';
import type { TrialDocument } from '../../../common/measurement/trial';
import { messageOf, runError } from '../../../common/problem';
import { thisProcess } from '../../process-life';
import { packHistoryRun } from '../../results/stored-history-run';
import type { ResultsWriter } from '../../results/writer';
import {
  blockNumber,
  blocksField,
  setBlockNumber,
  storedBlocks,
} from '../../../common/measurement/stored-names';

export * from './carriers';
export * from './names';

const HEARTBEAT_MS = 5000;
/** Maximum number of events that are stored with a run. Longer runs only repeat the same few messages. */
const MOST_EVENTS = 500;

export const SHARED_MACHINE = 'the load is generated on the machine of the target, so both share its cores';
const KEEP_DATA = 'the results are in the cluster under test: keep its data when you change the environment';

const now = (): string => new Date().toISOString();

/** Receives the progress and events of a running run. The terminal and the page of a run both get their data from this interface. */
export interface RunListener {
  /** Called whenever the progress changes, and at least once a second. */
  onProgress(progress: Progress): void;
  onEvent(event: RunEvent): void;
}

/** How a run was started. */
export type Asked = 'manually' | 'by its schedule';

export interface RunOrder {
  definition: Definition;
  /** Id of the experiment to which the run belongs. */
  experimentId: string;
  asked: Asked;
  /** Labels of the current environment, in which the run begins. Default: the first environment of the definition. */
  begins?: Environment;
}

/**
 * Returns the text of the first event of a run, which says how the run was started. {@link wasAsked} recognises stored events by this text.
 */
export const askedEvent = (asked: Asked): string => `asked for ${asked}`;

export const wasAsked = ({ events }: Pick<RunDocument, 'events'>, asked: Asked): boolean =>
  events.some(({ message }) => message === askedEvent(asked));

/** Message of the event that a run was resumed after an interruption. */
const RESUMED = 'continues after the interruption';
/** {@link RESUMED} in the words of earlier versions. */
const RESUMED_BEFORE = 'goes on after the interruption';

/** Returns whether an event records that a run was resumed after an interruption. Also recognises the wording of earlier versions. */
export const isResumption = ({ message }: { message: string }): boolean =>
  message === RESUMED || message === RESUMED_BEFORE;

/** Message of the event that a run was in the queue when its process ended, and is now in the queue of the next process. */
const REQUEUED = 'waits again after a restart';

/** The methods of the results writer that a run needs. */
export type RunWriter = Pick<
  ResultsWriter,
  'saveRun' | 'saveTrial' | 'addSample' | 'addProfile' | 'flush' | 'isAway'
>;

/**
 * Returns the document of a new run, including its plan.
 * - `experiment`: id in the store; default: derived from the name.
 * - `space`: Kibana space; undefined for the default space.
 * - `begins`: labels of the current environment; default: the first environment of the definition.
 */
export function newRun(
  id: string,
  definition: Definition,
  {
    experiment = experimentId(definition),
    space,
    begins,
    asked,
  }: { experiment?: string; space?: string; begins?: Environment; asked?: Asked } = {},
): RunDocument {
  const plan = makePlan(definition, begins);
  const started = now();
  return {
    '@timestamp': started,
    run: {
      id,
      state: 'running',
      reason: '',
      started,
      ended: null,
      heartbeat: started,
      carrier: thisProcess(),
      indices: [],
    },
    experiment: {
      // A factor can change the load. Therefore the tasks of all combinations of levels are checked: any of them may be meant to provoke
      // rejections.
      ...experimentMark(
        experiment,
        { ...definition, tasks: plan.cells.flatMap((cell) => cell.definition.tasks) },
        space,
      ),
      hypothesis: definition.hypothesis,
      preset: definition.preset ?? null,
    },
    definition,
    plan: storedPlan(plan),
    progress: { trials: plan.trials.length, completed: 0, current: null },
    provenance: null,
    verdict: null,
    events: asked ? [{ at: started, level: 'info', message: askedEvent(asked) }] : [],
  };
}

/**
 * Returns the document of a run that this process resumes after the run was interrupted, failed or waited. `target`: target for the
 * remaining trials.
 */
export function resumedRun(
  {
    run: { waiting, marked: _marked, endedBy: _endedBy, ...run },
    events,
    experiment,
    night: _historyRun,
    samples: _samples,
    ...kept
  }: RunDocument,
  target = experiment.target,
): RunDocument {
  const at = now();
  const message = waiting
    ? `continues in environment ${environmentLabel(waiting.environment)}`
    : run.state === 'queued'
      ? REQUEUED
      : run.state === 'failed'
        ? 'continues after the failure'
        : RESUMED;
  return {
    ...kept,
    run: { ...run, reason: '', ended: null, carrier: thisProcess(), heartbeat: at },
    experiment: { ...experiment, ...(target === undefined ? {} : { target }) },
    verdict: null,
    events: [...events, { at, level: 'info', message }],
  };
}

/** Returns the id of the configured target that the run measures now, or that it measured last. */
export const targetOf = ({
  experiment,
  definition,
}: Pick<RunDocument, 'experiment' | 'definition'>): string => experiment.target ?? definition.target;

/**
 * Returns the trials that a run does not repeat when it is resumed: completed trials, and all trials of environments in which it has
 * finished.
 */
export function keptTrials(run: RunDocument, trials: readonly TrialDocument[]): TrialDocument[] {
  const past = new Set(
    blocksOf(resolvePlan(run))
      .slice(0, blockNumber(run.progress))
      .flatMap((block) => block.trials.map(({ order }) => order)),
  );
  return trials.filter(({ trial }) => trial.state === 'completed' || past.has(trial.order));
}

/**
 * Returns the experiment id for a definition that is not in a store. It is derived from the name, so that runs with the same name belong to
 * one experiment.
 */
const experimentId = ({ name }: Definition): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'experiment';

/** Names of indices and pipelines that a run may have created in its target. */
export interface InTarget {
  indices?: readonly string[];
  pipelines?: readonly string[];
}

/** The indices and pipelines that a cleanup has removed from the target after a run was interrupted. */
export interface Left extends InTarget {
  /** True if the cleanup also restored the changed cluster settings; otherwise absent. */
  settings?: true;
}

type ChangedSettings = NonNullable<RunDocument['run']['replaced']>;

const NOBODY: RunListener = { onProgress: () => undefined, onEvent: () => undefined };

/** Returns the names of indices or pipelines to record from now on: `names` without those in `own`, followed by those in `existing`. */
const named = (names: readonly string[], own: readonly string[], existing: readonly string[]): string[] => [
  ...names.filter((name) => !own.includes(name)),
  ...existing,
];

/**
 * The document of a run, with all operations that change it. The process that executes the run keeps one such object. If no process
 * executes the run, an object is created for each change.
 */
export class ActiveRun {
  readonly trials: TrialDocument[];
  private resolved: Plan | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly noted = new Set<string>();
  /** Whether this process has nothing more to do for the run: the run has ended, or waits until the user provides its next environment. */
  private hasLeft = false;
  private isDefinitionBlamed = false;
  /**
   * Returns whether the run may continue in the environment `to` without the user. Only set if Dyno starts the clusters itself. Otherwise,
   * the user must change the environment (labels for machines, disks and so on) and resume the run.
   */
  continuesTo: ((from: Environment, to: Environment) => boolean) | undefined;

  constructor(
    /** The current document. Anyone may read it, but only this class changes it. */
    readonly document: RunDocument,
    /** Trials that a resumed run does not repeat. */
    completed: readonly TrialDocument[],
    private readonly results: Pick<RunWriter, 'saveRun' | 'saveTrial'>,
    private readonly listener: RunListener = NOBODY,
  ) {
    this.trials = [...completed];
  }

  get id(): string {
    return this.document.run.id;
  }

  get state(): RunState {
    return this.document.run.state;
  }

  /** The plan of the run. For each combination of factor levels, it contains the complete definition of its trials. */
  get plan(): Plan {
    return (this.resolved ??= resolvePlan(this.document));
  }

  /** The trials of the run by environment, in the order of the environments. */
  private get blocks(): readonly PlannedBlock[] {
    return blocksOf(this.plan);
  }

  /** Id of the current or last target. */
  get target(): string {
    return targetOf(this.document);
  }

  /** Whether the run is queued or running. The process that executed it may have died without storing the end of the run. */
  get isActive(): boolean {
    return ACTIVE_STATES.includes(this.state);
  }

  /**
   * Stores an event and notifies the listener. A message that every trial would repeat, such as one about too few nodes, is stored only
   * once.
   */
  note(message: string, level: RunEvent['level'] = 'info', trial = ''): void {
    if (this.noted.has(message)) return;
    this.noted.add(message);
    const event: RunEvent = { at: now(), level, message: trial === '' ? message : `${trial}: ${message}` };
    if (this.document.events.length < MOST_EVENTS) this.document.events.push(event);
    this.listener.onEvent(event);
  }

  /**
   * Stores the document with a new heartbeat. Resolves to true if the document is safe even if this process ends now: it is stored in the
   * results cluster, or spooled on disk.
   */
  async save(): Promise<boolean> {
    this.document.run.heartbeat = now();
    return await this.store();
  }

  private store(): Promise<boolean> {
    return this.results.saveRun(structuredClone(this.document));
  }

  /** Renews the heartbeat until {@link stopHeartbeat} is called or the run ends. */
  startHeartbeat(): void {
    this.stopHeartbeat();
    this.heartbeat = setInterval(() => {
      this.save().catch((error: unknown) =>
        this.note(`the heartbeat was not stored: ${messageOf(error)}`, 'warning'),
      );
    }, HEARTBEAT_MS);
  }

  stopHeartbeat(): void {
    clearInterval(this.heartbeat);
  }

  queue(): void {
    this.document.run.state = 'queued';
  }

  /** Begins or continues the run when it is first in the queue. Returns the current time (ISO 8601). */
  begin(): string {
    const { run, progress } = this.document;
    const at = now();
    const isNew = progress.completed === 0;
    Object.assign(run, { state: 'running', reason: '', ended: null, carrier: thisProcess() });
    if (isNew) run.started = at;
    return at;
  }

  /**
   * Records the cluster on whose machine Dyno starts the clusters of this run. No other run may measure there at the same time. `uuid`:
   * UUID of that cluster; undefined if Dyno starts no clusters.
   */
  startsBeside(uuid: string | undefined): void {
    const { run } = this.document;
    if (uuid === undefined) delete run.beside;
    else run.beside = uuid;
  }

  /**
   * Removes the names of indices and the replaced settings from the document if they belong to clusters that were started for the run.
   * These clusters no longer exist.
   */
  forgetStartedClusters(): void {
    const { run } = this.document;
    if (run.beside === undefined) return;
    run.indices = [];
    delete run.replaced;
  }

  /**
   * Records which objects of a trial may exist in the target. `own`: all indices and pipelines that the trial creates. `existing`: those
   * that may exist from now on. If this process dies, another process removes the recorded objects. The next {@link save} stores the
   * record.
   */
  recordInTarget(own: InTarget, existing: InTarget): void {
    const { run } = this.document;
    run.indices = named(run.indices, own.indices ?? [], existing.indices ?? []);
    const pipelines = named(run.pipelines ?? [], own.pipelines ?? [], existing.pipelines ?? []);
    if (pipelines.length > 0) run.pipelines = pipelines;
    else delete run.pipelines;
  }

  /**
   * Stores the original cluster settings (`replaced`) before a trial changes them; null once they have been restored. Rejects with a
   * DynoError if they cannot be stored. In this case, the trial must not change the settings, because nobody could restore them after a
   * crash.
   */
  async keepReplaced(replaced: ChangedSettings | null): Promise<void> {
    const { run } = this.document;
    if (replaced === null) delete run.replaced;
    else run.replaced = replaced;
    if ((await this.save()) || replaced === null) return;
    delete run.replaced;
    throw runError(
      'results.spool-failed',
      '',
      'the settings of the cluster are not changed, because their original values can be stored neither in the results cluster nor on disk',
    );
  }

  /**
   * Removes from the document what a cleanup has removed from the target, or restored there, after the run was interrupted. The next {@link
   * save} stores the change.
   */
  forgetLeft({ settings, ...gone }: Left): void {
    this.recordInTarget(gone, {});
    if (settings) delete this.document.run.replaced;
  }

  /**
   * Removes from the document what a cleanup has removed from the target, or restored there. Stores the document, without a new heartbeat.
   */
  async storeWithout(left: Left): Promise<void> {
    const before = JSON.stringify(this.document.run);
    this.forgetLeft(left);
    if (JSON.stringify(this.document.run) !== before) await this.store();
  }

  beginTrial(id: string): void {
    this.document.progress.current = id;
  }

  /**
   * Stores a trial that has ended. A repetition replaces the trial that it repeats. Counts the trial as completed, or adds an event with
   * the reason why it does not count.
   */
  async endTrial(trial: TrialDocument): Promise<void> {
    const earlier = this.trials.findIndex((other) => other.trial.order === trial.trial.order);
    if (earlier >= 0) this.trials.splice(earlier, 1);
    this.trials.push(trial);
    await this.results.saveTrial(trial);
    const { id, state, reason } = trial.trial;
    if (state === 'completed') this.document.progress.completed += 1;
    else this.note(`${id} ${state}: ${reason}`, state === 'failed' ? 'error' : 'warning');
    await this.save();
  }

  /** The trials of the current environment, and whether it is the last environment of the run. */
  get block(): PlannedBlock & { last: boolean } {
    const at = blockNumber(this.document.progress);
    return { ...this.blocks[at]!, last: at >= this.blocks.length - 1 };
  }

  /** Trials of the current environment that remain to be run. */
  get left(): PlannedTrial[] {
    const done = new Set(this.trials.map(({ trial }) => trial.order));
    return this.block.trials.filter(({ order }) => !done.has(order));
  }

  /** Removes trials from the plan. The other trials keep their numbers. Stored with the next save. */
  leaveOut(trials: readonly PlannedTrial[]): void {
    const { plan, progress } = this.document;
    const out = new Set(trials.map(({ order }) => order));
    plan.trials = plan.trials.filter(({ order }) => !out.has(order));
    progress.trials = plan.trials.length;
    this.resolved = undefined;
  }

  /** Whether the run continues with its next environment without action by the user. */
  get continues(): boolean {
    return this.block.last ? false : this.followsByItself(blockNumber(this.document.progress) + 1);
  }

  private followsByItself(at: number): boolean {
    return this.continuesTo?.(this.blocks[at - 1]!.environment, this.blocks[at]!.environment) ?? false;
  }

  /** The current environment and the following ones, each with its trials. Ends where the user must change the environment. */
  get ahead(): PlannedBlock[] {
    const from = blockNumber(this.document.progress);
    const rest = this.blocks.slice(from);
    const stop = rest.findIndex((_, i) => i > 0 && !this.followsByItself(from + i));
    return stop === -1 ? rest : rest.slice(0, stop);
  }

  /** Number of trials that remain until the run ends or waits for the user to change the environment. */
  get leftAhead(): number {
    const [, ...later] = this.ahead;
    return later.reduce((sum, { trials }) => sum + trials.length, this.left.length);
  }

  /** Begins the trials of the current environment. `place`: what the preflight has found out about the cluster and about this machine. */
  beginBlock(place: PlaceFacts): void {
    const { document } = this;
    const { environment } = this.block;
    const past = storedBlocks(document.provenance);
    const begun: BlockFacts = {
      ...place,
      environment,
      target: targetOf(document),
      since: now(),
      until: null,
    };
    document.provenance = { ...place, ...blocksField([...past, begun]) };
  }

  /** Records that some of the load is generated on the machine of the target, so that both share its cores. */
  noteSharedMachine(): void {
    const { provenance } = this.document;
    if (provenance === null || provenance.sharedMachine) return;
    this.document.provenance = { ...provenance, sharedMachine: true };
    const block = storedBlocks(provenance).at(-1);
    if (block) block.sharedMachine = true;
    this.note(SHARED_MACHINE);
  }

  /**
   * Ends the trials of the current environment. If the run {@link continues}, the next environment follows at once. Otherwise, the run is
   * stored and waits, without a process that executes it, until the user has changed the environment.
   */
  async endBlock(): Promise<void> {
    const { continues } = this;
    const { progress } = this.document;
    setBlockNumber(progress, blockNumber(progress) + 1);
    if (continues) {
      this.document.progress.current = null;
      this.closeBlock();
      await this.save();
      return;
    }
    if (this.document.provenance?.resultsInTarget) this.note(KEEP_DATA, 'warning');
    await this.wait('');
  }

  /**
   * Makes the run wait until the user has set up the environment in which it continues. `reason`: why the run could not continue; '' if it
   * waits only because the next trials need this environment.
   */
  async wait(reason: string): Promise<void> {
    if (this.hasLeft) return void (await this.save());
    const { run } = this.document;
    const whole = this.block.environment;
    // Dyno starts the clusters, so the event mentions only the labels that the user has to provide.
    const environment = this.continuesTo ? labelsOf(whole) : whole;
    run.waiting = { environment, since: now() };
    this.note(`waits for environment ${environmentLabel(environment)}`);
    await this.leave('waiting', reason);
  }

  /**
   * Called before {@link end} with the state `failed`. Records that the definition of the experiment is the cause, so that the same run
   * would fail again.
   */
  blameDefinition(): void {
    this.isDefinitionBlamed = true;
  }

  /**
   * Ends the run. Only the first call has an effect. A second call may come from an error that occurs while the end is being stored, and
   * must not change the state.
   */
  async end(state: RunState, reason: string): Promise<void> {
    if (this.hasLeft) return void (await this.save());
    const { run } = this.document;
    delete run.waiting;
    if (this.isDefinitionBlamed && state === 'failed') run.endedBy = 'definition';
    run.ended = now();
    this.document.verdict = judge(this.document.definition, this.plan, this.trials, this.document.provenance);
    if (state === 'completed')
      this.document.night = packHistoryRun(historyRunOf(this.document, this.plan, this.trials));
    await this.leave(state, reason);
  }

  /** Ends a run that could not begin or continue. A run that waited for the user to change its environment waits again. */
  async endUnbegun(state: 'cancelled' | 'failed' | 'interrupted' | 'waiting', reason: string): Promise<void> {
    if (state === 'waiting') {
      this.note(`cannot continue: ${reason}`, 'warning');
      return await this.wait(reason);
    }
    this.note(`${state}: ${reason}`, state === 'failed' ? 'error' : 'warning');
    await this.end(state, reason);
  }

  /**
   * Ends a run whose process is gone. Does not change the time of the last heartbeat. The caller must end the trials of the run.
   *
   * `completed`: number of completed trials in the results. The number in the document is lower if the process died after it had stored a
   * trial and before it stored the document.
   */
  async endOrphaned(reason: string, completed: number): Promise<void> {
    const { document } = this;
    const { run, progress, provenance } = document;
    const ended = now();
    Object.assign(run, { state: 'interrupted', reason, ended, marked: { by: thisProcess(), at: ended } });
    progress.current = null;
    progress.completed = Math.max(progress.completed, completed);
    for (const block of storedBlocks(provenance)) block.until ??= run.heartbeat;
    document.events.push({ at: ended, level: 'warning', message: `interrupted: ${reason}` });
    await this.store();
  }

  private async leave(state: RunState, reason: string): Promise<void> {
    this.hasLeft = true;
    this.stopHeartbeat();
    const { run, progress } = this.document;
    run.state = state;
    if (state === 'completed') progress.failed = failedTrials(this.document);
    run.reason = reason;
    progress.current = null;
    this.closeBlock();
    await this.save();
  }

  private closeBlock(): void {
    const block = storedBlocks(this.document.provenance).at(-1);
    if (block?.until === null) block.until = now();
  }
}
