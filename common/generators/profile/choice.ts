/** Draws one of several values with the probabilities that the profile contains. */
import type { Random } from '../../random';
import { AliasDraw } from '../alias-draw';
import { shareOf } from './levels';

export class Choice<Value> {
  private readonly values: readonly Value[];
  private readonly places: AliasDraw;

  /** `weighted`: values with the levels of their shares. `otherwise`: value that is always drawn if `weighted` is empty. */
  constructor(weighted: readonly (readonly [Value, number])[], otherwise: Value) {
    this.values = weighted.length === 0 ? [otherwise] : weighted.map(([value]) => value);
    const shares = weighted.map(([, level]) => shareOf(level));
    // If every share is too small for a level, all values are equally likely.
    this.places = new AliasDraw(shares.some((share) => share > 0) ? shares : this.values.map(() => 1));
  }

  draw(random: Random): Value {
    return this.values.length === 1 ? this.values[0]! : this.values[this.places.draw(random)]!;
  }
}
