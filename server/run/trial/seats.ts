/** The machines that generate the load of a run together, where its definition asks for more than this one. */
import os from 'node:os';
import type { Definition } from '../../../common/experiment/definition';
import { durationMs } from '../../../common/experiment/definition';
import type { Plan } from '../../../common/experiment/plan';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { Progress, SeatProgress } from '../../../common/measurement/progress';
import type { SeatSummary } from '../../../common/measurement/trial';
import { inputError, type DynoError } from '../../../common/problem';
import { filesOf } from '../../../common/tasks/registry';
import { plural } from '../../../common/units/format';
import type { LoadOutcome } from '../../load/contract';
import type { SeatLink, Seating } from '../../load/threads/seating';
import { thisProcess } from '../../process-life';
import { openSeats, type Seats, type SeatState } from '../../seats/coordinator';
import { proofOf } from '../../seats/files';
import { ORDER_LEAD_MS, type FileProof } from '../../seats/protocol';
import type { ActiveRun } from '../active-run/active-run';
import { LiveSeats } from './live-seats';

/** What finds processes for the seats of a run. */
export interface Recruitment {
  /** Who else takes seats, and what that needs: shown beside `dyno worker` while seats are free. */
  advice: string;
  /** The run is over, or given up. Never rejects. */
  close(): Promise<void>;
}

/**
 * Has other processes asked to take the seats of a run, as the nodes of Kibana are; `bus`: index over which they are led,
 * `target`: id of the target. Rejects with a DynoError.
 */
export type RecruitSeats = (asked: {
  run: string;
  bus: string;
  seats: number;
  target: string;
}) => Promise<Recruitment>;

export interface SeatsInput {
  resultsClient: ElasticsearchClient;
  /** Id of the target. */
  target: string;
  /** Undefined where workers come without being asked. */
  recruitSeats?: RecruitSeats;
  /** Folder that the definition's files are relative to. */
  folder: string;
  version: string;
}

/** More than this machine is asked for. */
export const wantsSeats = ({ load }: Pick<Definition, 'load'>): boolean => (load?.seats ?? 1) > 1;

/** What the seats say to each other must never load the cluster under test. */
export const seatsInTarget = (): DynoError =>
  inputError(
    'seats.in-target',
    'load.seats',
    'with more than one seat the results must be kept in another cluster than the target, for the seats talk to each other there',
    {
      allowed: '1 seat, or a results cluster of its own: --results, DYNO_RESULTS, dyno.results in kibana.yml',
    },
  );

/** Progress is told so often while machines are waited for, ms. */
const TELL_MS = 1000;

/** Told what is waited for, as progress tells it; empty at the end. */
type OnWait = (waiting: Pick<Progress, 'doing' | 'advice'>) => void;

/** The seats of one run, from its first trial to its last. */
export class RunSeats {
  /** Who had each seat last. */
  private readonly holders = new Map<number, SeatState>();
  /** Of the load that goes on. */
  private live: LiveSeats | null = null;

  private readonly wanted: number;
  private readonly withinMs: number;

  /** On seats that call for workers: {@link RunSeats.open}. */
  constructor(
    private readonly activeRun: Pick<ActiveRun, 'note'>,
    private readonly seats: Seats,
    { seats: wanted, within }: Pick<NonNullable<Definition['load']>, 'seats' | 'within'>,
    private readonly files: readonly FileProof[],
    private readonly onWait: OnWait,
    private readonly recruitment?: Recruitment,
  ) {
    this.wanted = wanted;
    this.withinMs = durationMs(within);
  }

  /**
   * Calls for workers; null where this machine alone is asked for. `onWait`: called at every change of what is waited for, and
   * once a second meanwhile. Rejects with a DynoError.
   */
  static async open(input: SeatsInput, activeRun: ActiveRun, onWait: OnWait): Promise<RunSeats | null> {
    const { load } = activeRun.document.definition;
    if (load === undefined || !wantsSeats(activeRun.document.definition)) return null;
    const names = new Set(filesIn(activeRun.plan));
    const files = await Promise.all([...names].map((name) => proofOf(name, input.folder)));
    const seats = await openSeats(input.resultsClient, {
      run: { id: activeRun.id, experiment: activeRun.document.experiment.name },
      coordinator: thisProcess(),
      version: input.version,
      seats: load.seats,
      workers: load.threads,
      shareMachine: load['share-machine'],
      onNote: (message) => activeRun.note(message, 'warning'),
    });
    try {
      const asked = { run: activeRun.id, bus: seats.index, seats: load.seats, target: input.target };
      const recruitment = await input.recruitSeats?.(asked);
      return new RunSeats(activeRun, seats, load, files, onWait, recruitment);
    } catch (error) {
      await seats.close('the run could not begin');
      throw error;
    }
  }

  /** One of those that are taken is on the machine of this process. */
  get isHere(): boolean {
    return this.seats.taken.some(({ host }) => host === os.hostname());
  }

  /** Before each trial. Rejects with a DynoError where a seat stays free too long, or with the signal's reason. */
  async complete(signal: AbortSignal): Promise<void> {
    const { wanted, activeRun } = this;
    const { taken } = this.seats;
    let known = new Set(taken.map(({ seat }) => seat));
    if (known.size < wanted)
      activeRun.note(
        `the load needs ${plural(wanted, 'seat')}, and ${known.size} of them ${known.size === 1 ? 'is' : 'are'} taken: waiting for \`dyno worker\` on other machines${this.recruitment ? `; ${this.recruitment.advice}` : ''}`,
      );
    const tell = (): void => {
      const { advice } = this.recruitment ?? {};
      const doing = this.seats.isAway
        ? WAITS_FOR_RESULTS
        : waitsFor(wanted - this.seats.taken.length, wanted);
      this.onWait({ doing, ...(advice === undefined ? {} : { advice }) });
    };
    const ticks = setInterval(tell, TELL_MS);
    try {
      await this.seats.complete(
        {
          withinMs: this.withinMs,
          advice: this.recruitment?.advice,
          onChange: (now) => {
            for (const one of now) if (!known.has(one.seat)) activeRun.note(sayTaken(one, wanted));
            known = new Set(now.map(({ seat }) => seat));
            if (known.size < wanted) tell();
          },
        },
        signal,
      );
    } finally {
      clearInterval(ticks);
      this.onWait({});
    }
  }

  /** What a load is carried with. */
  load(): { seating: Seating; orderLeadMs: number } {
    const seating = this.seats.seating(this.files);
    return {
      orderLeadMs: ORDER_LEAD_MS,
      seating: (job, tell) => {
        const live = new LiveSeats(job.tasks, this.wanted);
        this.live = live;
        const links = seating(job, (seat, message) => {
          live.hear(seat, message);
          tell(seat, message);
        });
        return links.map((link): SeatLink => ({
          order: (order) => link.order(order),
          end: () => {
            if (this.live === live) this.live = null;
            return link.end();
          },
        }));
      },
    };
  }

  /** All of them as they are now. */
  progress(): SeatProgress[] {
    const taken = new Map(this.seats.taken.map((state) => [state.seat, state]));
    for (const [seat, state] of taken) this.holders.set(seat, state);
    return Array.from({ length: this.wanted }, (_, seat): SeatProgress => {
      const holder = this.holders.get(seat);
      if (holder === undefined) return { seat, state: 'free', holder: null, second: null };
      const { host, pid, cores, labels, clock } = holder;
      const second = taken.has(seat) ? (this.live?.secondOf(seat) ?? null) : null;
      const state = !taken.has(seat) ? 'lost' : second === null ? 'taken' : 'loading';
      const clockOffsetMs = clock?.offsetMs ?? null;
      const clockErrorMs = clock?.errorMs ?? null;
      return {
        seat,
        state,
        holder: { host, pid, cores, labels: labelTexts(labels), clockOffsetMs, clockErrorMs },
        second,
      };
    });
  }

  /** Of a load that has just ended. */
  summaries({ seats }: Pick<LoadOutcome, 'seats'>): SeatSummary[] {
    return this.seats.taken.flatMap(({ seat, host, pid, labels, clock }) => {
      const figures = seats[seat];
      if (figures === undefined) return [];
      const { offsetMs = null, errorMs = null } = clock ?? {};
      return [
        {
          seat,
          host,
          pid,
          labels: labelTexts(labels),
          ...figures,
          clockOffsetMs: offsetMs,
          clockErrorMs: errorMs,
        },
      ];
    });
  }

  /** Never rejects. */
  async close(why: string): Promise<void> {
    // First, or somebody is still asked for seats that are given up.
    await this.recruitment?.close();
    await this.seats.close(why);
  }
}

const labelTexts = (labels: SeatState['labels']): string[] =>
  Object.entries(labels).map(([name, value]) => `${name}=${value}`);

const sayTaken = ({ seat, host, pid, labels }: SeatState, wanted: number): string =>
  `seat ${seat + 1} of ${wanted} is taken by ${host} (${[`process ${pid}`, ...labelTexts(labels)].join(', ')})`;

const WAITS_FOR_RESULTS = 'waits for the results cluster, over which the machines are led';
const waitsFor = (missing: number, wanted: number): string =>
  missing === 0
    ? 'waits until a machine that was lost can send nothing more'
    : `waits for ${missing === wanted ? '' : `${missing} of `}${plural(wanted, 'machine')}`;

/** Names of the files that the seats read; what is there before the load is put there by this machine. */
const filesIn = ({ cells }: Plan): string[] =>
  cells.flatMap(({ definition }) => filesOf(definition.tasks).map(({ file }) => file));
