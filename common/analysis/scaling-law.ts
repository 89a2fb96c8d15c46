/**
 * The universal scalability law X(N) = λN / (1 + σ(N - 1) + κN(N - 1)) (Gunther 2007, "Guerrilla Capacity Planning"). X is the rate with N
 * nodes, clients or shards. λ is the rate per node without losses, σ the loss by contention, and κ the loss by coordination. The fit uses
 * logarithms of rates, because the variation between the trials of a cell is proportional to the rate.
 *
 * Each cell counts with the mean logarithm of its rates, weighted by the number of its trials. A fit to all single trials would give the
 * same parameters.
 */
import { levenbergMarquardt } from 'ml-levenberg-marquardt';

/** The trials of one cell: their number, and the mean of the logarithms of their rates. */
export interface CellLogs {
  n: number;
  mean: number;
  trials: number;
}

/**
 * Parameters of the law. `a` is ln λ. `s` and `k` are σ and κ, scaled so that both terms of the denominator are about 1 at the largest N.
 */
export interface Parameters {
  a: number;
  s: number;
  k: number;
}

/** Values that are held constant while the other parameters are fitted. */
export interface Held {
  s?: number;
  k?: number;
  /** Fixed value of κ / (1 - σ), scaled like κ. It determines the number N at which the curve has its peak. */
  q?: number;
  /** A point through which the curve must go. `log`: logarithm of the rate. */
  through?: { n: number; log: number };
}

export interface Fitted extends Parameters {
  /** Sum of squares of the distances between the mean logarithms and the law, weighted by the number of trials. */
  squares: number;
}

/** Lower bound of the denominator 1 + σ(N - 1) + κN(N - 1) while the best fit is searched. */
const LEAST_DENOMINATOR = 1e-6;
/**
 * Lower bound of σ and κ (scaled) during the search. The result is never negative, but the search may go below 0. If it ends there, the
 * best allowed fit has σ = 0 or κ = 0.
 */
const BELOW = -0.2;
/** Number of iterations of ml-levenberg-marquardt between two tests of convergence. The library itself has no such test. */
const ITERATIONS = 4;
const MOST_ROUNDS = 24;
const CONVERGED = 1e-9;

export class Law {
  /** Scaling factors of σ and κ. */
  readonly #sScale: number;
  readonly #kScale: number;
  readonly #cells: readonly CellLogs[];
  readonly #weights: number[];
  /**
   * Data of each cell for ml-levenberg-marquardt, already multiplied by the weights. If the library applied the weights, this would change
   * the direction of its steps.
   */
  readonly #data: { x: number[]; y: number[] };

  constructor(cells: readonly CellLogs[]) {
    const largest = Math.max(...cells.map(({ n }) => n));
    this.#sScale = largest - 1;
    this.#kScale = (largest - 1) * largest;
    this.#cells = cells;
    this.#weights = cells.map(({ trials }) => Math.sqrt(trials));
    this.#data = { x: [...cells.keys()], y: cells.map(({ mean }, at) => mean * this.#weights[at]!) };
  }

  sigma = (s: number): number => s / this.#sScale;
  kappa = (k: number): number => k / this.#kScale;
  /** Returns the N at which the curve has its peak. `q`: scaled κ / (1 - σ). */
  peak = (q: number): number => Math.sqrt(this.#kScale / q);
  scaledPeak = ({ s, k }: Parameters): number => k / (1 - s / this.#sScale);

  /** Returns the logarithm of the rate at `n`. */
  log = (parameters: Parameters, n: number): number =>
    parameters.a + Math.log(n) - Math.log(this.#denominator(parameters, n));

  #denominator = ({ s, k }: Omit<Parameters, 'a'>, n: number): number =>
    Math.max(LEAST_DENOMINATOR, 1 + (s * (n - 1)) / this.#sScale + (k * n * (n - 1)) / this.#kScale);

  /** Returns the best fit in which neither σ nor κ is negative. */
  fit(held: Held, start: Parameters): Fitted {
    // First tries the fit in which the same parameters are 0 as in the starting point, because it is usually the best one.
    const near: Held = {
      ...held,
      ...(start.s === 0 && held.s === undefined ? { s: 0 } : {}),
      ...(start.k === 0 && held.k === undefined && held.q === undefined ? { k: 0 } : {}),
    };
    const likely = this.#solve(near, start);
    if (likely.s >= 0 && likely.k >= 0 && this.#isLeast(likely, held, near)) return likely;
    const free = this.#solve(held, start);
    if (free.s >= 0 && free.k >= 0) return free;
    // The best fit without this restriction is negative somewhere. In the best allowed fit, σ, κ or both are then 0. If `q` is held, κ
    // follows from σ.
    const edges: Held[] = [
      ...(held.s === undefined ? [{ ...held, s: 0 }] : []),
      ...(held.k === undefined && held.q === undefined ? [{ ...held, k: 0 }] : []),
      ...(held.s === undefined && held.k === undefined && held.q === undefined
        ? [{ ...held, s: 0, k: 0 }]
        : []),
    ];
    return edges
      .map((edge) => this.#solve(edge, start))
      .filter(({ s, k }) => s >= 0 && k >= 0)
      .reduce((best, one) => (one.squares < best.squares ? one : best), { ...free, squares: Infinity });
  }

  /**
   * Returns whether `own` is the best fit in which no parameter is negative (Kuhn-Tucker condition). `near`: the restriction of the fit. It
   * contains `held` and the parameters that were set to 0. In the best fit, increasing a parameter that was set to 0 brings no improvement.
   * Parameters with a fixed value in `held` are not tested.
   */
  #isLeast(own: Fitted, held: Held, near: Held): boolean {
    const [s0, k0] = held.through === undefined ? [0, 0] : this.#slopes(own, held.through.n);
    let [byS, byK] = [0, 0];
    for (const { n, mean, trials } of this.#cells) {
      const [sn, kn] = this.#slopes(own, n);
      const k = k0 - kn;
      const s = s0 - sn - (held.q === undefined ? 0 : (k * held.q) / this.#sScale);
      const error = trials * (mean - this.log(own, n));
      byS += error * s;
      byK += error * k;
    }
    return (near.s === held.s || byS <= 1e-12) && (near.k === held.k || byK <= 1e-12);
  }

  /** Returns the derivatives of the logarithm of the denominator with respect to s and k. */
  #slopes({ s, k }: Omit<Parameters, 'a'>, n: number): [number, number] {
    const below = this.#denominator({ s, k }, n);
    return [(n - 1) / this.#sScale / below, (n * (n - 1)) / this.#kScale / below];
  }

  #solve(held: Held, start: Parameters): Fitted {
    const names = (['a', 's', 'k'] as const).filter((name) =>
      name === 'a'
        ? held.through === undefined
        : held[name] === undefined && (name !== 'k' || held.q === undefined),
    );
    const whole = (free: readonly number[]): Parameters => {
      const of = (name: keyof Parameters): number => free[names.indexOf(name)]!;
      const s = held.s ?? of('s');
      const k = held.k ?? (held.q === undefined ? of('k') : held.q * Math.max(0, 1 - s / this.#sScale));
      const { through } = held;
      const a =
        through === undefined
          ? of('a')
          : through.log - Math.log(through.n) + Math.log(this.#denominator({ s, k }, through.n));
      return { a, s, k };
    };
    const gradient = (free: number[]): ((cell: number) => number[]) => {
      const own = whole(free);
      const [s0, k0] = held.through === undefined ? [0, 0] : this.#slopes(own, held.through.n);
      return (cell) => {
        const weight = this.#weights[cell]!;
        const [sn, kn] = this.#slopes(own, this.#cells[cell]!.n);
        const k = k0 - kn;
        const s = s0 - sn - (held.q === undefined ? 0 : (k * held.q) / this.#sScale);
        return names.map((name) => weight * { a: 1, s, k }[name]);
      };
    };
    const rate = (free: number[]): ((cell: number) => number) => {
      const own = whole(free);
      return (cell) => this.#weights[cell]! * this.log(own, this.#cells[cell]!.n);
    };
    let best = names.map((name) => start[name]);
    let squares = this.#squares(whole(best));
    let damping = 1e-3;
    for (let round = 0; names.length > 0 && round < MOST_ROUNDS; round += 1) {
      const { parameterValues } = levenbergMarquardt(this.#data, rate, {
        initialValues: best,
        jacobianFunction: gradient,
        damping,
        minValues: names.map((name) => (name === 'a' ? -Infinity : BELOW)),
        maxValues: names.map(() => Infinity),
        maxIterations: ITERATIONS,
        errorTolerance: 1e-14,
      });
      const found = this.#squares(whole(parameterValues));
      const gain = squares - found;
      if (gain > 0) [best, squares] = [parameterValues, found];
      if (gain > CONVERGED * squares + 1e-14) continue;
      // The library keeps a step even if the step made the fit worse. The fit is therefore tried once more with small steps.
      if (damping >= 1) break;
      damping = 1;
    }
    return { ...whole(best), squares };
  }

  #squares = (own: Parameters): number =>
    this.#cells.reduce((sum, { n, mean, trials }) => sum + trials * (mean - this.log(own, n)) ** 2, 0);
}
