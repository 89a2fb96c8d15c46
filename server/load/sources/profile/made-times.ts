/** How times beside the document's own are written. */
import type { ProfiledDraw, Weighted } from '../../../../common/generators/profile/profile';
import { TIME_FORMS } from '../../../../common/generators/profile/times';
import type { Target } from './bytes';
import { mix } from './dice';
import type { FieldValue, Maker, Surroundings } from './field-value';
import { Numbers } from './made-numbers';
import { rowsOf } from './made-rows';
import { LONGEST_TIME, writeTime } from './time-writer';

/** A time that stands so far from the document's own. */
export class TimeValue implements FieldValue {
  drawnFor = -1;
  readonly longest = LONGEST_TIME;
  private readonly form: number;
  private readonly offsets: Numbers;
  private readonly isSame: boolean;
  private ms = 0;

  constructor(
    { form, offsets }: { form: string; offsets: Weighted },
    private readonly surroundings: Surroundings,
  ) {
    this.form = TIME_FORMS.findIndex(({ name }) => name === form);
    this.offsets = new Numbers({ buckets: offsets, decimals: 0, zeros: 0 });
    this.isSame = offsets.every(([bucket]) => bucket === 0);
  }

  draw(document: number): void {
    const { clock, dice: own } = this.surroundings;
    this.drawnFor = document;
    this.ms = this.isSame
      ? clock.ms
      : Math.max(0, clock.ms + this.offsets.within(this.offsets.drawBucket(own), own.unit()));
  }

  keep(document: number): void {
    this.draw(document);
  }

  write(out: Target, at: number): number {
    return writeTime(this.form, this.ms, out, at);
  }
}

/** The document's own time, as it stands in a text. */
export class ClockTime implements FieldValue {
  drawnFor = -1;
  readonly longest = LONGEST_TIME;

  constructor(
    private readonly form: number,
    private readonly clock: { ms: number },
  ) {}

  draw(document: number): void {
    this.drawnFor = document;
  }

  keep(document: number): void {
    this.drawnFor = document;
  }

  write(out: Target, at: number): number {
    return writeTime(this.form, this.clock.ms, out, at);
  }
}

/** Times by their numbers, the same for all documents. */
export class TimeMaker implements Maker {
  readonly longest = LONGEST_TIME;
  readonly whole = null;
  private readonly form: number;
  private readonly numbers: Numbers;
  private readonly buckets: Int32Array;
  private readonly from: number;

  constructor(
    profiled: ProfiledDraw,
    { form, offsets }: { form: string; offsets: Weighted },
    { dice: own, clock }: Surroundings,
  ) {
    this.form = TIME_FORMS.findIndex(({ name }) => name === form);
    this.numbers = new Numbers({ buckets: offsets, decimals: 0, zeros: 0 });
    this.from = clock.ms;
    this.buckets = Int32Array.from({ length: profiled.head.length + rowsOf(profiled) }, () =>
      this.numbers.drawBucket(own),
    );
  }

  write(id: number, out: Target, at: number): number {
    const offset = this.numbers.within(this.buckets[id % this.buckets.length]!, mix(id) / 4_294_967_296);
    return writeTime(this.form, Math.max(0, this.from + offset), out, at);
  }
}
