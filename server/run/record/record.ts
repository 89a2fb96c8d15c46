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
import type { PlaceFacts, RunDocument, RunEvent, RunState, BlockFacts } from '../../../common/experiment/run';
import type { Progress } from '../../../common/measurement/progress';
import type { TrialDocument } from '../../../common/measurement/trial';
import { messageOf } from '../../../common/problem';
import { thisProcess } from '../../process-life';
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

const KEEP_DATA =
  'the results are in the cluster under test: whatever changes there before the run goes on must keep its data';

const now = (): string => new Date().toISOString();

/** Hears of a run while it goes on: the same for the terminal and the page. */
export interface RunListener {
  /** At every change and once a second. */
  onProgress(progress: Progress): void;
  onEvent(event: RunEvent): void;
}

/** Who asked for a run. */
export type Asked = 'by hand' | 'by its schedule';

/** The first event of a run that a host was asked for, which tells who asked. */
export const askedEvent = (asked: Asked): string => `asked for ${asked}`;

export const wasAsked = ({ events }: Pick<RunDocument, 'events'>, asked: Asked): boolean =>
  events.some(({ message }) => message === askedEvent(asked));

/** The event of a run that was interrupted and resumed. */
export const GOES_ON = 'goes on after the interruption';

/** What a run writes its documents with. */
export type RunWriter = Pick<ResultsWriter, 'saveRun' | 'saveTrial' | 'addSample' | 'flush'>;

/** A run as it begins, with its plan. `experiment`: its id in the store; one made of the name without. `space`: Kibana's, undefined for the default one. `begins`: labels of the environment that stands now; the definition's first. */
export function newRun(
  id: string,
  definition: Definition,
  {
    experiment = experimentId(definition),
    space,
    begins,
  }: { experiment?: string; space?: string; begins?: Environment } = {},
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
    events: [],
  };
}

/** A run that was interrupted, or that waited, as this process takes it up again; `target` is another one for the rest of it. */
export function goingOn(
  { run: { waiting, ...run }, events, experiment, ...kept }: RunDocument,
  target = experiment.target,
): RunDocument {
  const at = now();
  const message = waiting ? `goes on in environment ${environmentLabel(waiting.environment)}` : GOES_ON;
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

/** The run's document and everything that changes it. */
export class RunRecord {
  readonly trials: TrialDocument[];
  /** That of the document, with what each cell's trials do. */
  readonly plan: Plan;
  private readonly blocks: readonly PlannedBlock[];
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly said = new Set<string>();
  /** Whether the run goes on from one environment to the next without anybody: where its host starts the clusters. */
  goesOnTo: ((from: Environment, to: Environment) => boolean) | undefined;

  constructor(
    readonly document: RunDocument,
    /** Trials that a run which goes on does not do again. */
    completed: readonly TrialDocument[],
    private readonly results: Pick<RunWriter, 'saveRun'>,
    private readonly listener: RunListener,
  ) {
    this.trials = [...completed];
    this.plan = resolvePlan(document);
    this.blocks = blocksOf(this.plan);
  }

  /** Kept and told. What each trial would say again, such as too few nodes for the replicas, is said once. */
  note(message: string, level: RunEvent['level'] = 'info', trial = ''): void {
    if (this.said.has(message)) return;
    this.said.add(message);
    const event: RunEvent = { at: now(), level, message: trial === '' ? message : `${trial}: ${message}` };
    if (this.document.events.length < MOST_EVENTS) this.document.events.push(event);
    this.listener.onEvent(event);
  }

  async save(): Promise<void> {
    this.document.run.heartbeat = now();
    await this.results.saveRun(structuredClone(this.document));
  }

  beat(): void {
    this.heartbeat = setInterval(() => {
      this.save().catch((error: unknown) =>
        this.note(`the heartbeat was not stored: ${messageOf(error)}`, 'warning'),
      );
    }, HEARTBEAT_MS);
  }

  rest(): void {
    clearInterval(this.heartbeat);
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
      return await this.save();
    }
    if (this.document.provenance?.resultsInTarget) this.note(KEEP_DATA, 'warning');
    await this.wait('');
  }

  /** `reason`: why it could not go on, or ''. */
  async wait(reason: string): Promise<void> {
    const { run } = this.document;
    const whole = this.block.environment;
    // Nobody need set up what the host starts.
    const environment = this.goesOnTo ? labelsOf(whole) : whole;
    run.waiting = { environment, since: now() };
    this.note(`waits for environment ${environmentLabel(environment)}`);
    await this.leave('waiting', reason);
  }

  async end(state: RunState, reason: string): Promise<void> {
    const { run } = this.document;
    delete run.waiting;
    run.ended = now();
    this.document.verdict = judge(this.document.definition, this.plan, this.trials);
    await this.leave(state, reason);
  }

  private async leave(state: RunState, reason: string): Promise<void> {
    this.rest();
    const { run, progress } = this.document;
    run.state = state;
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
