/** Documents whose fields are all always there, each with a value: what stands between values is known before the first one. */
import { jsonOfText } from '../../../../common/json/exact';
import { copyWords, Rows, type Store, type Target } from './bytes';
import type { FieldValue, Part } from './field-value';
import { encodedOf } from './made-rows';
import { ConstantValue, RepeatedValue } from './repeated-value';

/** A field with its name, in the order of a document. */
export interface FixedField {
  name: string;
  value: FieldValue;
  isString: boolean;
}

export class FixedDocument {
  /** What stands before each of the values, and behind the last one. */
  private readonly between: Int32Array;
  /** Of each place the value that comes again, or another one. */
  private readonly repeated: (RepeatedValue | null)[];
  private readonly others: (FieldValue | null)[];

  /** `before` and `after`: around each document. */
  constructor(
    fields: readonly FixedField[],
    private readonly store: Store,
    { before, after }: { before: string; after: string },
  ) {
    const between: Uint8Array[] = [];
    const values: FieldValue[] = [];
    let bytes: Uint8Array[] = [];
    const append = (part: Part): void => {
      if (part instanceof Uint8Array) {
        bytes.push(part);
        return;
      }
      // A text that is the same in all documents but for the values that it holds is bytes between those.
      const parts = part instanceof ConstantValue ? part.parts : undefined;
      if (parts !== undefined) {
        for (const below of parts) append(below);
        return;
      }
      between.push(Buffer.concat(bytes));
      values.push(part);
      bytes = [];
    };
    append(encodedOf(`${before}{`));
    for (const [at, { name, value, isString }] of fields.entries()) {
      const quote = isString ? '"' : '';
      append(encodedOf(`${at === 0 ? '' : ','}${jsonOfText(name)}:${quote}`));
      append(value);
      append(encodedOf(quote));
    }
    append(encodedOf(`}${after}`));
    this.between = new Rows(store, [...between, Buffer.concat(bytes)]).places;
    this.repeated = values.map((value) => (value instanceof RepeatedValue ? value : null));
    this.others = values.map((value) => (value instanceof RepeatedValue ? null : value));
  }

  /** Of the document that was drawn last. There must be room. Returns where it ended. */
  write(out: Target, from: number): number {
    const { between, repeated, others } = this;
    const { view } = this.store;
    const to = out.view;
    let at = from;
    for (let i = 0; i < repeated.length; i += 1) {
      const length = between[2 * i + 1]!;
      copyWords(view, between[2 * i]!, to, at, length);
      at += length;
      const value = repeated[i]!;
      if (value === null) {
        at = others[i]!.write(out, at);
        continue;
      }
      // Most are prepared whole: no call.
      const { places } = value;
      const place = 2 * value.id;
      const start = place < places.length ? places[place]! : -1;
      if (start < 0) {
        at = value.write(out, at);
        continue;
      }
      const own = places[place + 1]!;
      copyWords(view, start, to, at, own);
      at += own;
    }
    const last = 2 * repeated.length;
    const length = between[last + 1]!;
    copyWords(view, between[last]!, to, at, length);
    return at + length;
  }
}
