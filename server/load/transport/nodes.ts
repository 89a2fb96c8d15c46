/** Chooses the node of each request: each in turn. A node that accepts no connections is skipped for a while. */

/** A node that accepted no connection is skipped for this long, in ms. The time doubles with each further failure. */
const FIRST_ASIDE_MS = 500;
const LONGEST_ASIDE_MS = 16_000;

interface NodeState {
  /** No request goes to the node before this time, in ms since the start of the load; -Infinity while it accepts connections. */
  asideUntil: number;
  asideMs: number;
  /** A refusal after this time is a new failure; before, it belongs to the last one. */
  doublesFrom: number;
  /** Requests for which the node accepted no connection, and how many of them went to another node. */
  refused: number;
  moved: number;
}

/** Refused connections of one node, by its place in the target's list. */
export interface RefusedRequests {
  node: number;
  refused: number;
  moved: number;
}

export class Nodes {
  private readonly states: NodeState[];

  /** `turn`: number of the first node. */
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

  /** Returns the place of the node for a new request. Tries a node that was skipped with one request, or all if all were skipped. */
  next(now: number): number {
    const at = this.usable(now);
    if (at === null) return this.turn++ % this.states.length;
    const state = this.states[at]!;
    // Other requests wait for the result of this one.
    if (state.asideMs > 0) state.asideUntil = now + state.asideMs;
    return at;
  }

  /** Notes that `node` accepted no connection. Returns another node for the request; null if no other node accepts connections. */
  refused(node: number, now: number): number | null {
    const state = this.states[node]!;
    state.refused += 1;
    // Requests that were sent to it at the same time count as one failure.
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

  /** Nodes that ever refused a connection. */
  get refusals(): RefusedRequests[] {
    return this.states.flatMap(({ refused, moved }, node) =>
      refused === 0 ? [] : [{ node, refused, moved }],
    );
  }

  /** Returns the next usable node. `healthy`: only nodes that accepted the last connection. */
  private usable(now: number, healthy = false): number | null {
    for (let tried = 0; tried < this.states.length; tried += 1) {
      const at = this.turn++ % this.states.length;
      const { asideUntil, asideMs } = this.states[at]!;
      if (healthy ? asideMs === 0 : asideUntil <= now) return at;
    }
    return null;
  }
}
