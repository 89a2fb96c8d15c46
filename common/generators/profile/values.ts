/** Makes the value of a field as its profile describes it. */
import { mix } from '../../random';
import { addressTexts } from './addresses';
import { ChainText } from './chain-text';
import { timeText } from './clock';
import type { FieldValue, Making, TextOf } from './field-value';
import { countOf } from './levels';
import { Numbers, numberTexts } from './numbers';
import type { ProfiledDraw, ProfiledValue, Weighted } from './profile';
import { rareRowsOf } from './rare-rows';
import { RepeatedValue } from './repeated-value';
import { texts } from './texts';
import { TIME_FORMS, TIME_FORM_NAMES } from './times';

type Make = ProfiledValue['make'];
type NumberMake = Extract<Make, { number: object }>['number'];
type TimeMake = Extract<Make, { time: object }>['time'];

/** The values that it depends on must exist. */
export function fieldValue({ draw, make }: ProfiledValue, making: Making): FieldValue {
  if (draw === undefined)
    return 'ip' in make
      ? new RepeatedValue(ALWAYS_NEW, addressTexts(ALWAYS_NEW, make.ip), making)
      : ownValue(ownText(make, making));
  const textOf = repeatedText(draw, make, making);
  const isConstant = draw.head.length === 1 && countOf(draw.rare) === 0;
  return isConstant ? constant(textOf) : new RepeatedValue(draw, textOf, making);
}

const ALWAYS_NEW: ProfiledDraw = {
  head: [],
  seen: 0,
  rare: 0,
  growth: 100,
  apart: { head: 999, first: 999, fresh: 0, near: [], old: 999 },
};

const nothing = (): void => undefined;

const constant = (textOf: TextOf): FieldValue => ({ draw: nothing, keep: nothing, text: () => textOf(0) });

/** `make` is called for each document. */
function ownValue(make: () => string): FieldValue {
  let text = '';
  const draw = (): void => {
    text = make();
  };
  return { draw, keep: draw, text: () => text };
}

function ownText(make: Exclude<Make, { ip: object }>, making: Making): () => string {
  const { random, clock, valueAt } = making;
  if ('number' in make) return ownNumber(make.number, making);
  if ('time' in make) {
    const [form, offsets] = timeOf(make.time);
    const isOwn = make.time.offsets.every(([bucket]) => bucket === 0);
    return () => (isOwn ? clock.text(form) : timeText(form, clock.ms + offsets.draw(random)));
  }
  const chain = new ChainText(make.chain, making.vocabulary, making.commonWords);
  return () =>
    chain.own(random, ({ kind, size }) =>
      kind === 'r' ? valueAt(size).text() : clock.text(size % TIME_FORMS.length),
    );
}

/** A number that counts up has a range of its own in each load thread. */
function ownNumber({ steps, ...kind }: NumberMake, { vocabulary, random, share }: Making): () => string {
  const numbers = new Numbers(steps === undefined ? kind : { ...kind, zeros: 0 });
  if (steps === undefined) return () => numbers.text(numbers.draw(random), random.next());
  const start = Math.abs(numbers.within(numbers.drawBucket(vocabulary), 0));
  const each = new Numbers({ buckets: steps, decimals: 0, zeros: 0 });
  let value = Math.min(Number.MAX_SAFE_INTEGER / 2, start * (1 + share.index));
  return () => {
    value = Math.min(Number.MAX_SAFE_INTEGER, value + each.draw(random));
    return String(Math.floor(value));
  };
}

function repeatedText(draw: ProfiledDraw, make: Make, making: Making): TextOf {
  if ('number' in make) return numberTexts(draw, make.number, making.vocabulary);
  if ('ip' in make) return addressTexts(draw, make.ip);
  if ('time' in make) return timeTexts(draw, make.time, making);
  return texts(draw, new ChainText(make.chain, making.vocabulary, making.commonWords), making);
}

const timeOf = ({ form, offsets }: TimeMake): [number, Numbers] => [
  TIME_FORM_NAMES.indexOf(form),
  new Numbers({ buckets: offsets as Weighted, decimals: 0, zeros: 0 }),
];

/** Times that are the same for all documents. */
function timeTexts(draw: ProfiledDraw, make: TimeMake, { vocabulary, clock }: Making): TextOf {
  const [form, offsets] = timeOf(make);
  const from = clock.ms;
  const count = draw.head.length + rareRowsOf(draw);
  const buckets = Array.from({ length: count }, () => offsets.drawBucket(vocabulary));
  return (id) => timeText(form, from + offsets.within(buckets[id % count]!, mix(id) / 2 ** 32));
}
