/** The document of a run and everything that changes it: events, heartbeat, its end. */
import { judge } from '../../common/analysis/verdict';
import type { Definition } from '../../common/experiment/definition';
import { makePlan } from '../../common/experiment/plan';
import { experimentMark } from '../../common/measurement/experiment-mark';
import type { RunDocument, RunEvent, RunState } from '../../common/measurement/run';
import type { TrialDocument } from '../../common/measurement/trial';
import { messageOf } from '../../common/problem';
import type { ResultsWriter } from '../results/writer';
import { thisCarrier } from './identity';
import type { RunListener } from './progress';
import { GOES_ON } from './run-service';

const HEARTBEAT_MS = 5000;
/** Events kept with a run; a run that says more has one thing to say again and again. */
const MOST_EVENTS = 500;

const now = (): string => new Date().toISOString();

/** What a run writes its documents with. */
export type RunWriter = Pick<ResultsWriter, 'saveRun' | 'saveTrial' | 'addSample' | 'flush'>;

/** A run as it begins, with its plan. `experiment`: its id in the store; one made of the name without. `space`: Kibana's, undefined for the default one. */
export function newRun(
  id: string,
  definition: Definition,
  { experiment = experimentId(definition), space }: { experiment?: string; space?: string } = {},
): RunDocument {
  const plan = makePlan(definition);
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
      carrier: thisCarrier(),
      indices: [],
    },
    experiment: {
      ...experimentMark(experiment, definition, space),
      hypothesis: definition.hypothesis,
      preset: definition.preset ?? null,
    },
    definition,
    plan,
    progress: { trials: plan.trials.length, completed: 0, current: null },
    provenance: null,
    verdict: null,
    events: [],
  };
}

/** An interrupted run as this process takes it up again. */
export function goingOn({ run, events, ...kept }: RunDocument): RunDocument {
  const at = now();
  return {
    ...kept,
    run: { ...run, reason: '', ended: null, carrier: thisCarrier(), heartbeat: at },
    verdict: null,
    events: [...events, { at, level: 'info', message: GOES_ON }],
  };
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
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly said = new Set<string>();

  constructor(
    readonly document: RunDocument,
    /** Trials that an interrupted run has completed. */
    completed: readonly TrialDocument[],
    private readonly results: Pick<RunWriter, 'saveRun'>,
    private readonly listener: RunListener,
  ) {
    this.trials = [...completed];
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

  async end(state: RunState, reason: string): Promise<void> {
    this.rest();
    const { run, progress } = this.document;
    run.state = state;
    run.reason = reason;
    run.ended = now();
    progress.current = null;
    this.document.verdict = judge(this.document.definition, this.document.plan, this.trials);
    await this.save();
  }
}
