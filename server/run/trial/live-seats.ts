/**
 * Metrics of each process that generates a part of the load, for every second of a running load. The process that executes the run receives
 * them with the results.
 */
import { judgeSeats } from '../../../common/analysis/seats';
import type { SeatSecond } from '../../../common/measurement/progress';
import type { GeneratorHealth } from '../../../common/measurement/sample';
import type { LoadJob } from '../../load/contract';
import { generatorLimits } from '../../load/instrument/generator-limit';
import type { FromSeat } from '../../load/messages';

/** Number of seconds that a process must have reported before its metrics are judged. */
const LEAST_SECONDS = 10;
/** A process is shown as late or busy according to this many recent seconds. */
const RECENT_SECONDS = 60;

/** Report of a process that generates load about one second. */
interface SecondReport {
  figures: Omit<SeatSecond, 'part' | 'late' | 'busy'>;
  /** Number of documents whose outcome became known in this second, over all tasks. A search or other request counts as one document. */
  attempted: number;
  health: GeneratorHealth;
}

interface SeatSoFar {
  /** Number of documents whose outcome is known so far, over all tasks. A search or other request counts as one document. */
  attempted: number;
  /** Health of the process in each of the last {@link RECENT_SECONDS} seconds. */
  recent: GeneratorHealth[];
}

type Seconds = Extract<FromSeat, { kind: 'seconds' }>;

export class LiveSeats {
  /** Reports by second and process, for seconds about which some processes have not reported yet. */
  private readonly pending = new Map<number, Map<number, SecondReport>>();
  private newest: ReadonlyMap<number, SecondReport> = new Map();
  private readonly soFar: SeatSoFar[];
  private seconds = 0;
  /** Names of the ingest tasks. Their documents are shown in addition to the numbers of requests. */
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

  /** Processes a message from a process that generates load. Only reports about a second matter here. */
  receive(seat: number, message: FromSeat): void {
    const number = message.kind === 'seconds' ? message.seconds[0]?.second : undefined;
    if (message.kind !== 'seconds' || number === undefined) return;
    const reports = this.pending.get(number) ?? new Map<number, SecondReport>();
    this.pending.set(number, reports);
    reports.set(seat, this.reportOf(message));
    if (reports.size < this.seats) return;
    // If a process skipped an earlier second, it will not report that second any more.
    for (const earlier of this.pending.keys()) if (earlier <= number) this.pending.delete(earlier);
    this.newest = reports;
    this.seconds += 1;
    for (const [one, { attempted, health }] of reports) {
      const { recent } = this.soFar[one]!;
      this.soFar[one]!.attempted += attempted;
      recent.push(health);
      if (recent.length > RECENT_SECONDS) recent.shift();
    }
  }

  /** Returns a process's report about the newest second that all processes have reported. Null before the first such second. */
  secondOf(seat: number): SeatSecond | null {
    const reports = this.newest.get(seat);
    if (reports === undefined) return null;
    if (this.seconds < LEAST_SECONDS) return { ...reports.figures, late: false, busy: false, part: null };
    const { late, busy } = generatorLimits(this.soFar[seat]!.recent);
    return { ...reports.figures, late: late !== '', busy: busy !== '', part: this.partOf(seat) };
  }

  private partOf(seat: number): number | null {
    const judged = judgeSeats(
      this.soFar.map(({ attempted }) => ({ attempted, lateMs: 0, clockErrorMs: null })),
    );
    return judged[seat]?.part ?? null;
  }

  private reportOf({ seconds, health, machine }: Seconds): SecondReport {
    const { utilisation } = health;
    const documents = this.ingest.size === 0 ? null : 0;
    const figures: SecondReport['figures'] = {
      requests: 0,
      documents,
      bytes: 0,
      lagMs: 0,
      utilisation,
      machine,
    };
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
