/**
 * Notices threads that hang: one that gives no sign of life, and those that do not end when they should.
 *
 * It counts its own turns and never the time: whatever holds up this thread, such as a machine that sleeps, holds up the
 * others too, and nobody is blamed for it.
 */

/** A thread without a sign of life for this long hangs, ms. Threads speak every second, and are held up for some at most. */
const SILENT_MS = 30_000;
const TURN_MS = 1000;

export interface WatchdogSetting {
  threads: number;
  /** {@link SILENT_MS}; less for tests. */
  silentMs?: number;
  /** Called once for each thread that hangs, by its number from 0. */
  onSilent: (thread: number, silentMs: number) => void;
}

export class Watchdog {
  /** Turns since the last sign of life; -1 of a thread that need not give any. */
  private readonly silent: number[];
  private readonly silentMs: number;
  /** What threads get after the moment in which they should end, ms: figures are brought together then. */
  readonly lateMs: number;
  private readonly turnMs: number;
  private readonly timer: NodeJS.Timeout;
  private end: { turns: number; onLate: () => void } | undefined;

  constructor(private readonly setting: WatchdogSetting) {
    this.silentMs = setting.silentMs ?? SILENT_MS;
    this.lateMs = this.silentMs / 2;
    this.turnMs = Math.min(TURN_MS, this.silentMs / 3);
    this.silent = Array.from({ length: setting.threads }, () => 0);
    this.timer = setInterval(() => this.turn(), this.turnMs);
    this.timer.unref();
  }

  /** A sign of life of the thread. */
  heard(thread: number): void {
    if (this.silent[thread] !== -1) this.silent[thread] = 0;
  }

  /** It has said all that it had to say. */
  release(thread: number): void {
    this.silent[thread] = -1;
  }

  /** Calls `onLate` in about `ms`, unless it is closed before, or was to call somebody earlier. */
  endWithin(ms: number, onLate: () => void): void {
    const turns = Math.ceil(ms / this.turnMs);
    if (this.end === undefined || turns < this.end.turns) this.end = { turns, onLate };
  }

  close(): void {
    clearInterval(this.timer);
  }

  private turn(): void {
    const limit = this.silentMs / this.turnMs;
    for (const [thread, turns] of this.silent.entries()) {
      if (turns === -1) continue;
      this.silent[thread] = turns + 1;
      if (turns + 1 < limit) continue;
      this.release(thread);
      this.setting.onSilent(thread, this.silentMs);
    }
    const { end } = this;
    if (end === undefined) return;
    end.turns -= 1;
    if (end.turns > 0) return;
    this.end = undefined;
    end.onLate();
  }
}
