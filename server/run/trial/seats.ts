/** The machines that together generate the load of a run. Only used if its definition requests more than one machine. */
import os from 'node:os';
import path from 'node:path';
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
import { isOwn } from '../../traffic-file/own-file';
import { furtherParts, partName } from '../../traffic-file/part-names';
import type { ActiveRun } from '../active-run/active-run';
import { LiveSeats } from './live-seats';

/** A request to other processes to generate load for a run. */
export interface Recruitment {
  /**
   * Sentence about the other processes that could generate load. It is shown, together with the command `dyno worker`, while the run waits
   * for machines.
   */
  advice: string;
  /** Withdraws the request, because the run has ended or no longer needs other processes. Never rejects. */
  close(): Promise<void>;
}

/**
 * Asks other processes, such as other Kibana nodes, to generate load for a run. `bus`: index through which they communicate with the
 * process that executes the run. `seats`: number of processes that should generate the load. `target`: id of the target. Rejects with a
 * DynoError.
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
  /**
   * Asks other processes to generate load. Undefined if no processes need to be asked: `dyno worker` processes look for runs themselves.
   */
  recruitSeats?: RecruitSeats;
  /** Folder to which the paths of files in the definition are relative. */
  folder: string;
  version: string;
}

/** Returns whether the definition requests more machines than this one. */
export const wantsSeats = ({ load }: Pick<Definition, 'load'>): boolean => (load?.seats ?? 1) > 1;

/**
 * Returns the error for a run that uses several machines and stores its results in the cluster under test. The machines would communicate
 * through that cluster, and so put load on it.
 */
export const seatsInTarget = (): DynoError =>
  inputError(
    'seats.in-target',
    'load.seats',
    'more than one seat needs a results cluster other than the target, because the seats communicate through it',
    {
      allowed: '1 seat, or a separate results cluster: --results, DYNO_RESULTS, dyno.results in kibana.yml',
    },
  );

/** Interval of progress reports while the run waits for machines, in ms. */
const REPORT_MS = 1000;

/**
 * Called with a description of what the run is waiting for, in the form for progress. Called with an empty object when the wait is over.
 */
type OnWait = (waiting: Pick<Progress, 'doing' | 'advice'>) => void;

/**
 * The processes that generate the load of one run, each on its own machine. They are numbered: each number is a *seat*, which can pass to
 * another process between two trials.
 */
export class RunSeats {
  /** Key: seat (number of a part of the load). Value: the process that generates this part, or generated it last. */
  private readonly holders = new Map<number, SeatState>();
  /** Metrics of the load that is running. Null if no load is running. */
  private live: LiveSeats | null = null;

  private readonly wanted: number;
  private readonly withinMs: number;

  /** Private; use {@link RunSeats.open}. */
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
   * Requests the processes that generate the load of a run. Resolves to null if the definition requests only this machine. `onWait`: called
   * with a description of what the run waits for, and once a second while it waits. Rejects with a DynoError.
   */
  static async open(input: SeatsInput, activeRun: ActiveRun, onWait: OnWait): Promise<RunSeats | null> {
    const { load } = activeRun.document.definition;
    if (load === undefined || !wantsSeats(activeRun.document.definition)) return null;
    const names = await filesIn(activeRun.plan, input.folder);
    const files = await Promise.all(names.map((name) => proofOf(name, input.folder)));
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

  /** Whether any process on this machine generates load for the run. */
  get isHere(): boolean {
    return this.seats.taken.some(({ host }) => host === os.hostname());
  }

  /**
   * Waits until there is a process for each seat. Called before each trial. Rejects with a DynoError if this takes too long, or with the
   * signal's reason.
   */
  async complete(signal: AbortSignal): Promise<void> {
    const { wanted, activeRun } = this;
    const { taken } = this.seats;
    let known = new Set(taken.map(({ seat }) => seat));
    if (known.size < wanted)
      activeRun.note(
        `${known.size} of ${plural(wanted, 'seat')} ${known.size === 1 ? 'is' : 'are'} taken: waiting for \`dyno worker\` on other machines${this.recruitment ? `; ${this.recruitment.advice}` : ''}`,
      );
    const reportWait = (): void => {
      const { advice } = this.recruitment ?? {};
      const doing = this.seats.isAway
        ? WAITS_FOR_RESULTS
        : waitsFor(wanted - this.seats.taken.length, wanted);
      this.onWait({ doing, ...(advice === undefined ? {} : { advice }) });
    };
    const ticks = setInterval(reportWait, REPORT_MS);
    try {
      await this.seats.complete(
        {
          withinMs: this.withinMs,
          advice: this.recruitment?.advice,
          onChange: (now) => {
            for (const one of now) if (!known.has(one.seat)) activeRun.note(takenNote(one, wanted));
            known = new Set(now.map(({ seat }) => seat));
            if (known.size < wanted) reportWait();
          },
        },
        signal,
      );
    } finally {
      clearInterval(ticks);
      this.onWait({});
    }
  }

  /** Returns the options for a load that these processes generate. */
  load(): { seating: Seating; orderLeadMs: number } {
    const seating = this.seats.seating(this.files);
    return {
      orderLeadMs: ORDER_LEAD_MS,
      seating: (job, receive) => {
        const live = new LiveSeats(job.tasks, this.wanted);
        this.live = live;
        const links = seating(job, (seat, message) => {
          live.receive(seat, message);
          receive(seat, message);
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

  /** Returns the current state of each seat and of its process. */
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

  /** Summarises the results of each process for a load that has ended. */
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

  /** Releases the processes. Never rejects. */
  async close(why: string): Promise<void> {
    // The request is withdrawn first, so that no process joins a run that is about to end.
    await this.recruitment?.close();
    await this.seats.close(why);
  }
}

const labelTexts = (labels: SeatState['labels']): string[] =>
  Object.entries(labels).map(([name, value]) => `${name}=${value}`);

const takenNote = ({ seat, host, pid, labels }: SeatState, wanted: number): string =>
  `seat ${seat + 1} of ${wanted} is taken by ${host} (${[`process ${pid}`, ...labelTexts(labels)].join(', ')})`;

const WAITS_FOR_RESULTS = 'waits for the results cluster, through which the machines are led';
const waitsFor = (missing: number, wanted: number): string =>
  missing === 0
    ? 'waits until a lost machine can no longer send requests'
    : `waits for ${missing === wanted ? '' : `${missing} of `}${plural(wanted, 'machine')}`;

/**
 * Returns the names of the files that the processes read while they generate load, relative to `folder`. Further files of a recording are
 * included. Files of preloads are not included, because only this machine loads documents before a trial.
 */
export async function filesIn({ cells }: Pick<Plan, 'cells'>, folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of new Set(
    cells.flatMap(({ definition }) => filesOf(definition.tasks).map(({ file }) => file)),
  )) {
    names.push(name);
    const first = path.resolve(folder, name);
    if (await isOwn(first)) names.push(...(await furtherParts(first)).map((part) => partName(name, part)));
  }
  return names;
}
