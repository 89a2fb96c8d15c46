/** Which node a request goes to: each in turn, but for those that take no connections, which are left alone for a while. */

/** A node that took no connection is left alone for this long, ms; each time that it takes none again, for twice as long. */
const FIRST_ASIDE_MS = 500;
const LONGEST_ASIDE_MS = 16_000;

interface NodeState {
  /** No request goes to it before, ms since the start of the load; -Infinity while it takes connections. */
  asideUntil: number;
  asideMs: number;
  /** From then on a refusal is another failure, and not the same one. */
  doublesFrom: number;
  /** Requests that it took no connection for, and those of them that went to another node. */
  refused: number;
  moved: number;
}

/** Of one node, by its place in the target's list. */
export interface RefusedRequests {
  node: number;
  refused: number;
  moved: number;
}

export class Nodes {
  private readonly states: NodeState[];

  /** `turn`: where the round over the nodes begins. */
  constructor(
    count: number,
    private turn: number,
  ) {
    this.states = Array.from({ length: count }, () => ({
      asideUntil: -Infinity,
      asideMs: 0,
      doublesFrom: -Infinity,
      refused: 0,
      moved: 0,
    }));
  }

  /** The place of the node for a new request. One that was left alone is tried with one request; all are where all were. */
  next(now: number): number {
    const at = this.usable(now);
    if (at === null) return this.turn++ % this.states.length;
    const state = this.states[at]!;
    // Others wait for what becomes of this one.
    if (state.asideMs > 0) state.asideUntil = now + state.asideMs;
    return at;
  }

  /** `node` took no connection. Returns where the request may go instead; null where no other node is known to take any. */
  refused(node: number, now: number): number | null {
    const state = this.states[node]!;
    state.refused += 1;
    // Requests that were on their way to it together tell of one failure.
    if (now >= state.doublesFrom) {
      state.asideMs = Math.min(LONGEST_ASIDE_MS, state.asideMs === 0 ? FIRST_ASIDE_MS : state.asideMs * 2);
      state.doublesFrom = now + state.asideMs / 2;
    }
    state.asideUntil = now + state.asideMs;
    const other = this.usable(now, true);
    if (other !== null) state.moved += 1;
    return other;
  }

  answered(node: number): void {
    const state = this.states[node]!;
    state.asideMs = 0;
    state.asideUntil = -Infinity;
  }

  /** Those that ever took no connection. */
  get refusals(): RefusedRequests[] {
    return this.states.flatMap(({ refused, moved }, node) =>
      refused === 0 ? [] : [{ node, refused, moved }],
    );
  }

  /** Goes on with the round; `sound`: only to nodes that took the last connection. */
  private usable(now: number, sound = false): number | null {
    for (let tried = 0; tried < this.states.length; tried += 1) {
      const at = this.turn++ % this.states.length;
      const { asideUntil, asideMs } = this.states[at]!;
      if (sound ? asideMs === 0 : asideUntil <= now) return at;
    }
    return null;
  }
}
