/** Creates the objects that generate the values of a field, as the profile describes them. */
import { mix } from '../../random';
import { addresses } from './addresses';
import { ChainText } from './chain-text';
import { timeText } from './clock';
import type { FieldValue, Making, TextOf } from './field-value';
import { countOf } from './levels';
import { Numbers, repeatedNumbers } from './numbers';
import type { Chain, ProfiledDraw, ProfiledValue } from './profile';
import { rareRowsOf } from './rare-rows';
import { RepeatedValue } from './repeated-value';
import { ownText, repeatedTexts } from './texts';
import { TIME_FORM_NAMES } from './times';

type Make = ProfiledValue['make'];
type NumberMake = Extract<Make, { number: object }>['number'];
type TimeMake = Extract<Make, { time: object }>['time'];

/** Creates the object that generates the values of a field. The objects of all fields on which this field depends must exist already. */
export function fieldValue({ draw, make }: ProfiledValue, making: Making): FieldValue {
  if (draw === undefined) return ownValue(make, making);
  const textOf = repeatedValues(draw, make, making);
  const isConstant = draw.head.length === 1 && countOf(draw.rare) === 0;
  return isConstant ? constant(textOf) : new RepeatedValue(draw, textOf, making);
}

const nothing = (): void => undefined;

const constant = (textOf: TextOf): FieldValue => ({
  draw: nothing,
  keep: nothing,
  text: () => textOf(0),
});

/** Creates an object that calls `make` for each document to get its value. */
function drawn(make: () => string): FieldValue {
  let text = '';
  const draw = (): void => {
    text = make();
  };
  return { draw, keep: draw, text: () => text };
}

const chainOf = (chain: Chain, { vocabulary, commonWords }: Making): ChainText =>
  new ChainText(chain, vocabulary, commonWords);

const ALWAYS_NEW: ProfiledDraw = {
  head: [],
  seen: 0,
  rare: 0,
  growth: 100,
  apart: { head: 999, first: 999, fresh: 0, near: [], old: 999 },
};

/** Creates an object whose value is different in each document. */
function ownValue(make: Make, making: Making): FieldValue {
  const { random, clock } = making;
  if ('ip' in make) return new RepeatedValue(ALWAYS_NEW, addresses(ALWAYS_NEW, make.ip), making);
  if ('chain' in make) return ownText(chainOf(make.chain, making), making);
  if ('number' in make) return drawn(ownNumber(make.number, making));
  const [form, offsets] = timeOf(make.time);
  const isOwn = make.time.offsets.every(([bucket]) => bucket === 0);
  const text = (): string => (isOwn ? clock.text(form) : timeText(form, clock.ms + offsets.draw(random)));
  return drawn(text);
}

/**
 * Returns a function that generates a number for each document. If the numbers count up, each load thread starts at a different number. The
 * numbers of two threads may still overlap later.
 */
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

function repeatedValues(draw: ProfiledDraw, make: Make, making: Making): TextOf {
  if ('number' in make) return repeatedNumbers(draw, make.number, making);
  if ('ip' in make) return addresses(draw, make.ip);
  if ('time' in make) return repeatedTimes(draw, make.time, making);
  return repeatedTexts(draw, chainOf(make.chain, making), making);
}

const timeOf = ({ form, offsets }: TimeMake): [number, Numbers] => [
  TIME_FORM_NAMES.indexOf(form),
  new Numbers({ buckets: offsets, decimals: 0, zeros: 0 }),
];

/** Returns a function that converts the id of a value to a time as text. */
function repeatedTimes(draw: ProfiledDraw, make: TimeMake, { vocabulary, clock }: Making): TextOf {
  const [form, offsets] = timeOf(make);
  const from = clock.ms;
  const count = draw.head.length + rareRowsOf(draw);
  const buckets = Array.from({ length: count }, () => offsets.drawBucket(vocabulary));
  return (id) => timeText(form, from + offsets.within(buckets[id % count]!, mix(id) / 2 ** 32));
}
