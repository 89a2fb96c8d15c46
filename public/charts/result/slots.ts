/**
 * Places on the x axis of a chart of intervals. Each mark has slots of its own on a fine ordinal axis, so that groups and
 * their trials stand side by side and levels can still be spaced to scale, which no single scale of the chart library does.
 */

/** Distance between levels: all the same, or as their values are. */
export type Spacing = 'even' | 'linear' | 'log';

export interface Slots {
  /** All slots from left to right, the empty ones too. */
  domain: string[];
  /** Of a mark's mean and interval; its trials stand in the slot after it. */
  slotOf(x: number, group: number): string;
  trialsSlotOf(x: number, group: number): string;
  /** The place's name where its label belongs, '' elsewhere. */
  labelOf(slot: string): string;
}

/** Fewer would set the trials too far away from their mean; more cannot be told apart on a screen. */
const [LEAST_SLOTS, MOST_SLOTS] = [56, 480];
/** Mean, trials, and a slot between them and the next group. */
const STRIDE = 3;

const nameOf = (at: number): string => `s${at}`;

/** Places at the distances of `at`, whatever their order; `groups` marks at each. */
function placed(names: readonly string[], at: readonly number[], groups: number): Slots {
  const [least, most] = [Math.min(...at), Math.max(...at)];
  const spread = most > least ? most - least : 1;
  const sorted = [...new Set(at)].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((value, i) => (value - sorted[i]!) / spread);
  const width = groups * STRIDE;
  const needed = gaps.length === 0 ? 0 : Math.ceil((width + 1) / Math.min(...gaps));
  const wanted = gaps.length === 0 ? 0 : Math.min(MOST_SLOTS, Math.max(LEAST_SLOTS - width, needed));
  // So that equal distances are equally many slots, where there is room for that.
  const whole = gaps.length === 0 ? 0 : Math.round(Math.ceil(wanted * Math.min(...gaps)) / Math.min(...gaps));
  const inner = whole > MOST_SLOTS ? wanted : whole;
  const edge = Math.max(
    Math.ceil(width / 2) + 1,
    gaps.length === 0 ? LEAST_SLOTS / 2 : Math.round(inner / names.length / 3),
  );
  const centres = at.map((value) => edge + Math.round(((value - least) / spread) * inner));
  const labels = new Map(centres.map((centre, x) => [nameOf(centre), names[x]!]));
  // One group stands on its label; several are spread around it.
  const offset = (group: number): number =>
    groups === 1 ? 0 : group * STRIDE - Math.floor((width - STRIDE + 1) / 2);
  return {
    domain: Array.from({ length: inner + 2 * edge + 1 }, (_, slot) => nameOf(slot)),
    slotOf: (x, group) => nameOf(centres[x]! + offset(group)),
    trialsSlotOf: (x, group) => nameOf(centres[x]! + offset(group) + 1),
    labelOf: (slot) => labels.get(slot) ?? '',
  };
}

/** `values` of the places, one each, where they can be spaced to scale. */
export function slotsFor(
  names: readonly string[],
  values: readonly number[] | null,
  groups: number,
  spacing: Spacing,
): Slots {
  const scaled =
    values !== null && spacing !== 'even' && !(spacing === 'log' && values.some((value) => value <= 0));
  if (!scaled)
    return placed(
      names,
      names.map((_, x) => x),
      groups,
    );
  return placed(names, spacing === 'log' ? values.map((value) => Math.log10(value)) : values, groups);
}

/** For each slot the nearest of `taken`, as long as it is no further away than half the way to the next one. */
export function nearest<T>(
  domain: readonly string[],
  taken: ReadonlyMap<string, T>,
  most: number,
): Map<string, T> {
  const known = domain.flatMap((slot, at) => (taken.has(slot) ? [{ at, value: taken.get(slot)! }] : []));
  const found = new Map<string, T>();
  let next = 0;
  domain.forEach((slot, at) => {
    while (next + 1 < known.length && Math.abs(known[next + 1]!.at - at) <= Math.abs(known[next]!.at - at))
      next += 1;
    const one = known[next];
    if (one && Math.abs(one.at - at) <= most) found.set(slot, one.value);
  });
  return found;
}

/** A straight line from mark to mark: a value in every slot between them, for an ordinal axis knows no distances. */
export function joined(
  domain: readonly string[],
  marks: readonly { slot: string; mean: number | null }[],
): { slot: string; mean: number }[] {
  const known = marks
    .flatMap(({ slot, mean }) => (mean === null ? [] : [{ at: domain.indexOf(slot), mean }]))
    .sort((a, b) => a.at - b.at);
  return known.flatMap((one, i) => {
    const next = known[i + 1];
    const steps = next === undefined ? 1 : next.at - one.at;
    return Array.from({ length: steps }, (_, step) => ({
      slot: domain[one.at + step]!,
      mean: one.mean + ((next?.mean ?? one.mean) - one.mean) * (step / steps),
    }));
  });
}
