/** Chooses a node for each request, in turn. A node that accepts no connections is skipped for a while. */

/** Time for which a node is skipped after it has accepted no connection, in ms. It doubles with each further failure. */
const FIRST_ASIDE_MS = 500;
const LONGEST_ASIDE_MS = 16_000;

interface NodeState {
  /** Time before which no request goes to the node, in ms since the start of the load; -Infinity while the node accepts connections. */
  asideUntil: number;
  asideMs: number;
  /**
   * A refused connection counts as a new failure, and doubles {@link asideMs}, only from this time on. Earlier refusals count as the same
   * failure. In ms since the start of the load.
   */
  doublesFrom: number;
  /** Number of requests for which the node accepted no connection. */
  refused: number;
  /** Number of requests for which the node accepted no connection, and which were then sent to another node. */
  moved: number;
}

/** Refused connections of one node. `node`: index in the target's list of nodes. */
export interface RefusedConnections {
  node: number;
  refused: number;
  moved: number;
}

export class Nodes {
  private readonly states: NodeState[];

  /** `turn`: index of the node that gets the first request. */
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

  /**
   * Returns the index of the node for a new request. When the time for which a node is skipped is over, a single request tests the node. If
   * all nodes are being skipped, requests go to all of them in turn.
   */
  next(now: number): number {
    const at = this.usable(now);
    if (at === null) return this.turn++ % this.states.length;
    const state = this.states[at]!;
    // Other requests avoid the node until the result of this attempt is known.
    if (state.asideMs > 0) state.asideUntil = now + state.asideMs;
    return at;
  }

  /**
   * Called when `node` accepted no connection. Returns the index of another node for the request. Returns null if no other node accepts
   * connections.
   */
  refused(node: number, now: number): number | null {
    const state = this.states[node]!;
    state.refused += 1;
    // Requests that were sent to the node at the same time count as one failure.
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

  /** Nodes that have refused a connection at some time. */
  get refusedConnections(): RefusedConnections[] {
    return this.states.flatMap(({ refused, moved }, node) =>
      refused === 0 ? [] : [{ node, refused, moved }],
    );
  }

  /**
   * Returns the index of the next node that can be used; null if no node can be used. `healthy`: only consider nodes that have not failed
   * since their last response. Otherwise, also consider nodes that were skipped for long enough.
   */
  private usable(now: number, healthy = false): number | null {
    for (let tried = 0; tried < this.states.length; tried += 1) {
      const at = this.turn++ % this.states.length;
      const { asideUntil, asideMs } = this.states[at]!;
      if (healthy ? asideMs === 0 : asideUntil <= now) return at;
    }
    return null;
  }
}
