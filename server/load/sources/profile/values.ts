/** What the fields of a profile's documents hold: each value draws itself for a document, and writes itself as often as it is asked for. */
import { exactText } from '../../../../common/json/exact';
import { countOf } from '../../../../common/generators/profile/levels';
import type { Chain, ProfiledDraw, ProfiledValue } from '../../../../common/generators/profile/profile';
import type { Store } from './bytes';
import { ChainText } from './chain-text';
import type { FieldValue, Maker, Surroundings } from './field-value';
import { AddressMaker } from './made-addresses';
import { CountingNumber, NumberMaker, OwnNumber } from './made-numbers';
import { encodedOf, rowsOf } from './made-rows';
import { OwnText, TextMaker } from './made-texts';
import { TimeMaker, TimeValue } from './made-times';
import { ConstantValue, RepeatedValue } from './repeated-value';

/** What a field of the profile holds. Those that it needs must be there. */
export function fieldValue({ draw, make }: ProfiledValue, surroundings: Surroundings): FieldValue {
  if (draw === undefined) {
    if ('time' in make) return new TimeValue(make.time, surroundings);
    if ('number' in make)
      return make.number.steps === undefined
        ? new OwnNumber(make.number, surroundings.dice)
        : new CountingNumber(make.number, surroundings);
    if ('chain' in make) return new OwnText(chainText(make.chain, surroundings), surroundings);
    return new RepeatedValue(ALWAYS_NEW, addresses(ALWAYS_NEW, make.ip, surroundings.store), surroundings);
  }
  const maker = makerOf(draw, make, surroundings);
  return draw.head.length === 1 && countOf(draw.rare) === 0
    ? new ConstantValue(maker)
    : new RepeatedValue(draw, maker, surroundings);
}

const chainText = (chain: Chain, { dice, store, common }: Surroundings): ChainText =>
  new ChainText(chain, dice, store, common);

/** Of addresses that no two documents share. */
const ALWAYS_NEW: ProfiledDraw = {
  head: [],
  seen: 0,
  rare: 0,
  growth: 100,
  apart: { head: 999, first: 999, fresh: 0, near: [], old: 999 },
};

const addresses = (
  draw: ProfiledDraw,
  { six, networks }: { six: number; networks: number },
  store: Store,
): Maker =>
  new AddressMaker(
    (draw.kept ?? []).map((value) => encodedOf(exactText(value))),
    draw.head.length + rowsOf(draw),
    six,
    networks / 100,
    store,
  );

function makerOf(draw: ProfiledDraw, make: ProfiledValue['make'], surroundings: Surroundings): Maker {
  if ('time' in make) return new TimeMaker(draw, make.time, surroundings);
  if ('number' in make) return new NumberMaker(draw, make.number, surroundings);
  if ('ip' in make) return addresses(draw, make.ip, surroundings.store);
  return new TextMaker(draw, chainText(make.chain, surroundings), surroundings);
}
