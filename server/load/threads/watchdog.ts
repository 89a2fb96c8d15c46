/**
 * Detects threads that hang: they give no sign of life, or do not end in time.
 *
 * The watchdog counts its own timer ticks instead of the time. If the whole machine stops, for example in a suspend, its ticks stop too, and
 * no thread is blamed.
 */

/** Time without a sign of life, in ms, after which a thread counts as hung. Threads report every second; a delay of a few seconds is normal. */
const SILENT_MS = 30_000;
const TURN_MS = 1000;

export interface WatchdogSetting {
  threads: number;
  /** Time without a sign of life after which a thread counts as hung, in ms. Default: {@link SILENT_MS}. Shorter in tests. */
  silentMs?: number;
  /** Called once for each thread that hangs, with its number from 0. */
  onSilent: (thread: number, silentMs: number) => void;
}

export class Watchdog {
  /** Ticks since the last sign of life; -1 for a thread that has ended. */
  private readonly silent: number[];
  private readonly silentMs: number;
  /** Time that threads get after their planned end to merge and report their results, in ms. */
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

  noteSignOfLife(thread: number): void {
    if (this.silent[thread] !== -1) this.silent[thread] = 0;
  }

  /** Stops watching a thread that has reported its outcome. */
  release(thread: number): void {
    this.silent[thread] = -1;
  }

  /**
   * Calls `onLate` after about `ms`, because the threads should have ended by then. Closing the watchdog cancels the call. Of several calls
   * of this method, the earliest end counts.
   */
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
