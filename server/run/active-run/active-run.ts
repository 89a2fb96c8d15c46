/** The document of a run and everything that changes it: events, heartbeat, its end. */
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
/** Events kept with a run; a run that says more has one thing to say again and again. */
const MOST_EVENTS = 500;

export const SHARED_MACHINE = 'the load is generated on the machine of the target: both share its cores';
const KEEP_DATA =
  'the results are in the cluster under test: whatever changes there before the run continues must keep its data';

const now = (): string => new Date().toISOString();

/** Hears of a run while it goes on: the same for the terminal and the page. */
export interface RunListener {
  /** At every change and once a second. */
  onProgress(progress: Progress): void;
  onEvent(event: RunEvent): void;
}

/** Who asked for a run. */
export type Asked = 'by hand' | 'by its schedule';

export interface RunOrder {
  definition: Definition;
  /** Of the experiment that it is a run of. */
  experimentId: string;
  asked: Asked;
  /** Labels of the environment that stands now, in which it begins; the definition's first. */
  begins?: Environment;
}

/** The first event of a run that a host was asked for, which tells who asked. */
export const askedEvent = (asked: Asked): string => `asked for ${asked}`;

export const wasAsked = ({ events }: Pick<RunDocument, 'events'>, asked: Asked): boolean =>
  events.some(({ message }) => message === askedEvent(asked));

/** The event of a run that was interrupted and resumed. */
export const GOES_ON = 'goes on after the interruption';

/** The event of a run that waited when its process ended, and waits on in the next one. */
const WAITS_ON = 'waits on after a restart';

/** What a run writes its documents with. */
export type RunWriter = Pick<ResultsWriter, 'saveRun' | 'saveTrial' | 'addSample' | 'flush' | 'isAway'>;

/** A run as it begins, with its plan. `experiment`: its id in the store; one made of the name without. `space`: Kibana's, undefined for the default one. `begins`: labels of the environment that stands now; the definition's first. */
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
      // A factor may give one cell alone the load that provokes.
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

/** A run that was interrupted, failed or waited, as this process takes it up again; `target` is another one for the rest of it. */
export function goingOn(
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
    ? `goes on in environment ${environmentLabel(waiting.environment)}`
    : run.state === 'queued'
      ? WAITS_ON
      : run.state === 'failed'
        ? 'goes on after the failure'
        : GOES_ON;
  return {
    ...kept,
    run: { ...run, reason: '', ended: null, carrier: thisProcess(), heartbeat: at },
    experiment: { ...experiment, ...(target === undefined ? {} : { target }) },
    verdict: null,
    events: [...events, { at, level: 'info', message }],
  };
}

/** Id of the target that it is at, or was at last. */
export const targetOf = ({
  experiment,
  definition,
}: Pick<RunDocument, 'experiment' | 'definition'>): string => experiment.target ?? definition.target;

/** Of `trials`, those that a run which goes on does not do again: the completed ones, and whatever its past blocks left. */
export function keptTrials(run: RunDocument, trials: readonly TrialDocument[]): TrialDocument[] {
  const past = new Set(
    blocksOf(resolvePlan(run))
      .slice(0, blockNumber(run.progress))
      .flatMap((block) => block.trials.map(({ order }) => order)),
  );
  return trials.filter(({ trial }) => trial.state === 'completed' || past.has(trial.order));
}

/** Runs of a definition that is in no store belong together by its name. */
const experimentId = ({ name }: Definition): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'experiment';

/** What of a run may stand in its target, or be changed there. */
export interface Standing {
  indices?: readonly string[];
  pipelines?: readonly string[];
}

/** What a run that was cut off had left in its target. */
export interface Left extends Standing {
  settings?: true;
}

type ChangedSettings = NonNullable<RunDocument['run']['replaced']>;

const NOBODY: RunListener = { onProgress: () => undefined, onEvent: () => undefined };

/** The names of `names` without `own`, and behind them `standing`. */
const named = (names: readonly string[], own: readonly string[], standing: readonly string[]): string[] => [
  ...names.filter((name) => !own.includes(name)),
  ...standing,
];

/**
 * The run's document and everything that changes it, from the moment in which it is asked for until it is removed. Whoever
 * carries the run has one of these; whoever finds a run that nobody carries makes one to change it.
 */
export class ActiveRun {
  readonly trials: TrialDocument[];
  private resolved: Plan | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly said = new Set<string>();
  /** It has ended, or waits for its next environment. */
  private hasLeft = false;
  private isDefinitionBlamed = false;
  /** Whether the run goes on from one environment to the next without anybody: where its host starts the clusters. */
  goesOnTo: ((from: Environment, to: Environment) => boolean) | undefined;

  constructor(
    /** As it is now; it is read by all and changed here only. */
    readonly document: RunDocument,
    /** Trials that a run which goes on does not do again. */
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

  /** That of the document, with what each cell's trials do. */
  get plan(): Plan {
    return (this.resolved ??= resolvePlan(this.document));
  }

  private get blocks(): readonly PlannedBlock[] {
    return blocksOf(this.plan);
  }

  /** Id of the target that it is at, or was at last. */
  get target(): string {
    return targetOf(this.document);
  }

  /** It waits for its turn or goes on: a process carries it, or did until it died. */
  get isActive(): boolean {
    return ACTIVE_STATES.includes(this.state);
  }

  /** Kept and told. What each trial would say again, such as too few nodes for the replicas, is said once. */
  note(message: string, level: RunEvent['level'] = 'info', trial = ''): void {
    if (this.said.has(message)) return;
    this.said.add(message);
    const event: RunEvent = { at: now(), level, message: trial === '' ? message : `${trial}: ${message}` };
    if (this.document.events.length < MOST_EVENTS) this.document.events.push(event);
    this.listener.onEvent(event);
  }

  /** With a sign of life. Resolves to whether it would outlive this process: stored, or on disk to be stored later. */
  async save(): Promise<boolean> {
    this.document.run.heartbeat = now();
    return await this.store();
  }

  private store(): Promise<boolean> {
    return this.results.saveRun(structuredClone(this.document));
  }

  /** Gives signs of life from now on, until {@link stopHeartbeat} or the end. */
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

  /** It waits for its turn. */
  queue(): void {
    this.document.run.state = 'queued';
  }

  /** Its turn has come: it begins now, unless it goes on with what it began before. Returns since when it goes on, ISO 8601. */
  begin(): string {
    const { run, progress } = this.document;
    const at = now();
    const isNew = progress.completed === 0;
    Object.assign(run, { state: 'running', reason: '', ended: null, carrier: thisProcess() });
    if (isNew) run.started = at;
    return at;
  }

  /** It starts its clusters beside the one of this uuid; undefined where it starts none. */
  startsBeside(uuid: string | undefined): void {
    const { run } = this.document;
    if (uuid === undefined) delete run.beside;
    else run.beside = uuid;
  }

  /** What it left in clusters that were started for it is gone with them. */
  forgetStartedClusters(): void {
    const { run } = this.document;
    if (run.beside === undefined) return;
    run.indices = [];
    delete run.replaced;
  }

  /**
   * Of `own`, what a trial makes or has made in the target, only `standing` may stand there from now on: whoever finds an
   * orphan removes what is named. Kept with the next save.
   */
  nameStanding(own: Standing, standing: Standing): void {
    const { run } = this.document;
    run.indices = named(run.indices, own.indices ?? [], standing.indices ?? []);
    const pipelines = named(run.pipelines ?? [], own.pipelines ?? [], standing.pipelines ?? []);
    if (pipelines.length > 0) run.pipelines = pipelines;
    else delete run.pipelines;
  }

  /**
   * Keeps what settings of the cluster were before a trial changes them; null once they are put back. Rejects with a
   * DynoError where nobody could put them back should this process die: they must not be changed then.
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
      'settings of the cluster are not changed while what they were can be stored neither in the results cluster nor on disk',
    );
  }

  /** What an earlier carrier had left in the target is not there any more, or put back. Kept with the next save. */
  forgetLeft({ settings, ...gone }: Left): void {
    this.nameStanding(gone, {});
    if (settings) delete this.document.run.replaced;
  }

  /** As {@link forgetLeft}, and kept at once; it is no sign of life. */
  async storeWithout(left: Left): Promise<void> {
    const before = JSON.stringify(this.document.run);
    this.forgetLeft(left);
    if (JSON.stringify(this.document.run) !== before) await this.store();
  }

  beginTrial(id: string): void {
    this.document.progress.current = id;
  }

  /** Keeps a trial that is over, in the place of one that it repeats; counts it or notes why it does not count. */
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

  /** The block that goes on, and whether it is the last. */
  get block(): PlannedBlock & { last: boolean } {
    const at = blockNumber(this.document.progress);
    return { ...this.blocks[at]!, last: at >= this.blocks.length - 1 };
  }

  /** Its trials that are not done yet. */
  get left(): PlannedTrial[] {
    const done = new Set(this.trials.map(({ trial }) => trial.order));
    return this.block.trials.filter(({ order }) => !done.has(order));
  }

  /** Trials that will not be run: the plan is without them from now on, its others keep their places. Kept with the next save. */
  leaveOut(trials: readonly PlannedTrial[]): void {
    const { plan, progress } = this.document;
    const out = new Set(trials.map(({ order }) => order));
    plan.trials = plan.trials.filter(({ order }) => !out.has(order));
    progress.trials = plan.trials.length;
    this.resolved = undefined;
  }

  /** Whether the next block follows this one without anybody. */
  get goesOn(): boolean {
    return this.block.last ? false : this.followsByItself(blockNumber(this.document.progress) + 1);
  }

  private followsByItself(at: number): boolean {
    return this.goesOnTo?.(this.blocks[at - 1]!.environment, this.blocks[at]!.environment) ?? false;
  }

  /** Blocks until the run ends or waits, this one first. */
  get ahead(): PlannedBlock[] {
    const from = blockNumber(this.document.progress);
    const rest = this.blocks.slice(from);
    const stop = rest.findIndex((_, i) => i > 0 && !this.followsByItself(from + i));
    return stop === -1 ? rest : rest.slice(0, stop);
  }

  /** Trials that are not done yet until the run ends or waits. */
  get leftAhead(): number {
    const [, ...later] = this.ahead;
    return later.reduce((sum, { trials }) => sum + trials.length, this.left.length);
  }

  /** A block begins at a place of which the preflight told. */
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

  /** A seat is taken on the machine of the target. */
  noteSharedMachine(): void {
    const { provenance } = this.document;
    if (provenance === null || provenance.sharedMachine) return;
    this.document.provenance = { ...provenance, sharedMachine: true };
    const block = storedBlocks(provenance).at(-1);
    if (block) block.sharedMachine = true;
    this.note(SHARED_MACHINE);
  }

  /**
   * The environment of the block is done: the next one follows at once where it {@link goesOn}, else it is waited for,
   * and nobody carries the run until then.
   */
  async endBlock(): Promise<void> {
    const { goesOn } = this;
    const { progress } = this.document;
    setBlockNumber(progress, blockNumber(progress) + 1);
    if (goesOn) {
      this.document.progress.current = null;
      this.closeBlock();
      await this.save();
      return;
    }
    if (this.document.provenance?.resultsInTarget) this.note(KEEP_DATA, 'warning');
    await this.wait('');
  }

  /** `reason`: why it could not go on, or ''. */
  async wait(reason: string): Promise<void> {
    if (this.hasLeft) return void (await this.save());
    const { run } = this.document;
    const whole = this.block.environment;
    // Nobody need set up what the host starts.
    const environment = this.goesOnTo ? labelsOf(whole) : whole;
    run.waiting = { environment, since: now() };
    this.note(`waits for environment ${environmentLabel(environment)}`);
    await this.leave('waiting', reason);
  }

  /** The failure with which it is about to end would happen again: its definition asks for it. */
  blameDefinition(): void {
    this.isDefinitionBlamed = true;
  }

  /** Over, however it ended. It ends once: what fails while its end is stored does not make it another. */
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

  /** Ends a run that was not begun, or is not taken up again; one that waited for its environment waits for it again. */
  async endUnbegun(state: 'cancelled' | 'failed' | 'interrupted' | 'waiting', reason: string): Promise<void> {
    if (state === 'waiting') {
      this.note(`does not go on: ${reason}`, 'warning');
      return await this.wait(reason);
    }
    this.note(`${state}: ${reason}`, state === 'failed' ? 'error' : 'warning');
    await this.end(state, reason);
  }

  /**
   * Ends a run whose carrier is gone, with its last sign of life. Its trials are the finder's; `completed`: so many of them are
   * stored as completed. The carrier may have been gone before it counted the last one, or before one was stored.
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
