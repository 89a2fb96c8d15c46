/** The machines that generate the load of a run together, where its definition asks for more than this one. */
import type { Definition } from '../../../common/experiment/definition';
import { durationMs } from '../../../common/experiment/definition';
import type { Plan } from '../../../common/experiment/plan';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { SeatSummary } from '../../../common/measurement/trial';
import { inputError, type DynoError } from '../../../common/problem';
import { filesOf } from '../../../common/tasks/registry';
import { plural } from '../../../common/units/format';
import type { LoadOutcome } from '../../load/contract';
import type { Seating } from '../../load/seating';
import { thisProcess } from '../../process-life';
import { openSeats, type Seats, type SeatState } from '../../seats/coordinator';
import { proofOf } from '../../seats/files';
import { ORDER_LEAD_MS, type FileProof } from '../../seats/protocol';
import type { RunRecord } from '../record/record';

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

/** The seats of one run, from its first trial to its last. */
export class RunSeats {
  private constructor(
    private readonly record: RunRecord,
    private readonly seats: Seats,
    private readonly wanted: number,
    private readonly withinMs: number,
    private readonly files: readonly FileProof[],
    private readonly recruitment: Recruitment | undefined,
  ) {}

  /** Calls for workers; null where this machine alone is asked for. Rejects with a DynoError. */
  static async open(input: SeatsInput, record: RunRecord): Promise<RunSeats | null> {
    const { load } = record.document.definition;
    if (load === undefined || !wantsSeats(record.document.definition)) return null;
    const names = new Set(filesIn(record.plan));
    const files = await Promise.all([...names].map((name) => proofOf(name, input.folder)));
    const seats = await openSeats(input.resultsClient, {
      run: { id: record.id, experiment: record.document.experiment.name },
      coordinator: thisProcess(),
      version: input.version,
      seats: load.seats,
      workers: load.threads,
      shareMachine: load['share-machine'],
      onNote: (message) => record.note(message, 'warning'),
    });
    try {
      const asked = { run: record.id, bus: seats.index, seats: load.seats, target: input.target };
      const recruitment = await input.recruitSeats?.(asked);
      return new RunSeats(record, seats, load.seats, durationMs(load.within), files, recruitment);
    } catch (error) {
      await seats.close('the run could not begin');
      throw error;
    }
  }

  /** Before each trial. Rejects with a DynoError where a seat stays free too long, or with the signal's reason. */
  async complete(signal: AbortSignal): Promise<void> {
    let last = this.seats.taken.length;
    if (last < this.wanted)
      this.record.note(
        `the load needs ${plural(this.wanted, 'seat')}, and ${last} of them ${last === 1 ? 'is' : 'are'} taken: waiting for \`dyno worker\` on other machines${this.recruitment ? `; ${this.recruitment.advice}` : ''}`,
      );
    await this.seats.complete(
      {
        withinMs: this.withinMs,
        advice: this.recruitment?.advice,
        onChange: (taken) => {
          if (taken.length > last) this.record.note(sayTaken(taken, this.wanted));
          last = taken.length;
        },
      },
      signal,
    );
  }

  /** What a load is carried with. */
  load(): { seating: Seating; orderLeadMs: number } {
    return { seating: this.seats.seating(this.files), orderLeadMs: ORDER_LEAD_MS };
  }

  /** Of a load that has just ended. */
  summaries({ seats }: Pick<LoadOutcome, 'seats'>): SeatSummary[] {
    return this.seats.taken.flatMap(({ seat, host, pid, clock }) => {
      const figures = seats[seat];
      if (figures === undefined) return [];
      const { offsetMs = null, errorMs = null } = clock ?? {};
      return [{ seat, host, pid, ...figures, clockOffsetMs: offsetMs, clockErrorMs: errorMs }];
    });
  }

  /** Never rejects. */
  async close(why: string): Promise<void> {
    // First, or somebody is still asked for seats that are given up.
    await this.recruitment?.close();
    await this.seats.close(why);
  }
}

const sayTaken = (taken: readonly SeatState[], wanted: number): string =>
  `${taken.length} of ${plural(wanted, 'seat')} taken: ${taken.map(({ host, pid }) => `${host} (process ${pid})`).join(', ')}`;

/** Names of the files that the seats read; what is there before the load is put there by this machine. */
const filesIn = ({ cells }: Plan): string[] =>
  cells.flatMap(({ definition }) => filesOf(definition.tasks).map(({ file }) => file));
