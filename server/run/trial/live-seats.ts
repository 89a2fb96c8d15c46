/** What the seats of a load do second by second, side by side, from what they tell anyway. */
import { judgeSeats } from '../../../common/analysis/seats';
import type { SeatSecond } from '../../../common/measurement/progress';
import type { GeneratorHealth } from '../../../common/measurement/sample';
import type { LoadJob } from '../../load/contract';
import { generatorLimits } from '../../load/instrument/generator-limit';
import type { FromSeat } from '../../load/messages';

/** By fewer seconds nobody is judged. */
const LEAST_SECONDS = 10;
/** Whether a seat is late or busy is that of so many seconds. */
const RECENT_SECONDS = 60;

/** What a seat told of one second. */
interface Told {
  figures: Omit<SeatSecond, 'part' | 'late' | 'busy'>;
  /** Requests or documents, of all tasks. */
  attempted: number;
  health: GeneratorHealth;
}

interface SeatSoFar {
  /** Requests or documents, of all tasks. */
  attempted: number;
  /** Of the last minute. */
  recent: GeneratorHealth[];
}

type Seconds = Extract<FromSeat, { kind: 'seconds' }>;

export class LiveSeats {
  /** Of seconds that not all have told of yet, what was told, by seat. */
  private readonly pending = new Map<number, Map<number, Told>>();
  private newest: ReadonlyMap<number, Told> = new Map();
  private readonly soFar: SeatSoFar[];
  private seconds = 0;
  /** Names of the tasks that send documents. */
  private readonly ingest: ReadonlySet<string>;

  constructor(
    tasks: LoadJob['tasks'],
    private readonly seats: number,
  ) {
    this.soFar = Array.from({ length: seats }, () => ({ attempted: 0, recent: [] }));
    this.ingest = new Set(
      tasks.filter(({ operation }) => operation.kind === 'ingest').map(({ name }) => name),
    );
  }

  /** What a seat tells the load. */
  hear(seat: number, message: FromSeat): void {
    const number = message.kind === 'seconds' ? message.seconds[0]?.second : undefined;
    if (message.kind !== 'seconds' || number === undefined) return;
    const told = this.pending.get(number) ?? new Map<number, Told>();
    this.pending.set(number, told);
    told.set(seat, this.toldOf(message));
    if (told.size < this.seats) return;
    // A second that one of them never told of is not waited for.
    for (const earlier of this.pending.keys()) if (earlier <= number) this.pending.delete(earlier);
    this.newest = told;
    this.seconds += 1;
    for (const [one, { attempted, health }] of told) {
      const { recent } = this.soFar[one]!;
      this.soFar[one]!.attempted += attempted;
      recent.push(health);
      if (recent.length > RECENT_SECONDS) recent.shift();
    }
  }

  /** The newest second of which all have told; null before the first one. */
  secondOf(seat: number): SeatSecond | null {
    const told = this.newest.get(seat);
    if (told === undefined) return null;
    if (this.seconds < LEAST_SECONDS) return { ...told.figures, late: false, busy: false, part: null };
    const { late, busy } = generatorLimits(this.soFar[seat]!.recent);
    return { ...told.figures, late: late !== '', busy: busy !== '', part: this.partOf(seat) };
  }

  private partOf(seat: number): number | null {
    const judged = judgeSeats(
      this.soFar.map(({ attempted }) => ({ attempted, lateMs: 0, clockErrorMs: null })),
    );
    return judged[seat]?.part ?? null;
  }

  private toldOf({ seconds, health, machine }: Seconds): Told {
    const { utilisation } = health;
    const documents = this.ingest.size === 0 ? null : 0;
    const figures: Told['figures'] = { requests: 0, documents, bytes: 0, lagMs: 0, utilisation, machine };
    let attempted = 0;
    for (const { task, counts, scheduleLagMs } of seconds) {
      attempted += counts.attempted;
      figures.requests += counts.requests;
      figures.bytes += counts.bytes;
      figures.lagMs = Math.max(figures.lagMs, scheduleLagMs);
      if (figures.documents !== null && this.ingest.has(task)) figures.documents += counts.attempted;
    }
    return { figures, attempted, health: { ...health, scheduleLagMs: figures.lagMs } };
  }
}
