/** Draws one of several values at random, with the probabilities in a profile. */
import type { Random } from '../../random';
import { AliasDraw } from '../alias-draw';
import { shareOf } from './levels';

export class Choice<Value> {
  private readonly values: readonly Value[];
  private readonly places: AliasDraw;

  /**
   * `weighted`: the values, each with its probability as a level (on a logarithmic scale, see levels.ts). `otherwise`: if `weighted` is
   * empty, the value that is always drawn.
   */
  constructor(weighted: readonly (readonly [Value, number])[], otherwise: Value) {
    this.values = weighted.length === 0 ? [otherwise] : weighted.map(([value]) => value);
    const shares = weighted.map(([, level]) => shareOf(level));
    // If all shares are too small to be represented by a level, all values are equally likely.
    this.places = new AliasDraw(shares.some((share) => share > 0) ? shares : this.values.map(() => 1));
  }

  draw(random: Random): Value {
    return this.values.length === 1 ? this.values[0]! : this.values[this.places.draw(random)]!;
  }
}
