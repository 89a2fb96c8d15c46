/**
 * Positions on the x axis of a chart of means. The axis is divided into many narrow slots. A mean has one slot, and its trials have the
 * next. Unlike the scales of Elastic Charts, slots allow groups next to each other and distances in proportion to numbers at the same time.
 */

/** Distances between the positions on the x axis: all equal (`even`), or in proportion to the numbers at the positions. */
export type Spacing = 'even' | 'linear' | 'log';

export interface Slots {
  /** All slots (narrow columns of the x axis) from left to right, including the empty ones. */
  domain: string[];
  /** Returns the slot (narrow column of the x axis) of a group's mean and interval. `x`: index of the position. */
  slotOf(x: number, group: number): string;
  /** Returns the slot of a group's trials at position `x`. It is to the right of the slot of their mean. */
  trialsSlotOf(x: number, group: number): string;
  /** Returns the name that the axis shows below this slot; '' for slots without a name. */
  labelOf(slot: string): string;
}

/**
 * Minimum and maximum number of slots on the x axis. With fewer slots, each would be wide, and a mean would be far from its trials. With
 * more slots, neighbouring slots could not be distinguished on a screen.
 */
const [LEAST_SLOTS, MOST_SLOTS] = [56, 480];
/** Number of slots for each group at a position: one for the mean, one for the trials, and an empty one. */
const STRIDE = 3;

const nameOf = (at: number): string => `s${at}`;

/**
 * Calculates the slots of the x axis. `at`: for each position, its number on the axis, in any order. Each position has a mark for each of
 * the `groups`.
 */
function placed(names: readonly string[], at: readonly number[], groups: number): Slots {
  const [least, most] = [Math.min(...at), Math.max(...at)];
  const spread = most > least ? most - least : 1;
  const sorted = [...new Set(at)].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((value, i) => (value - sorted[i]!) / spread);
  const width = groups * STRIDE;
  const needed = gaps.length === 0 ? 0 : Math.ceil((width + 1) / Math.min(...gaps));
  const wanted = gaps.length === 0 ? 0 : Math.min(MOST_SLOTS, Math.max(LEAST_SLOTS - width, needed));
  // Equal distances get the same number of slots, if there is room.
  const whole = gaps.length === 0 ? 0 : Math.round(Math.ceil(wanted * Math.min(...gaps)) / Math.min(...gaps));
  const inner = whole > MOST_SLOTS ? wanted : whole;
  const edge = Math.max(
    Math.ceil(width / 2) + 1,
    gaps.length === 0 ? LEAST_SLOTS / 2 : Math.round(inner / names.length / 3),
  );
  const centres = at.map((value) => edge + Math.round(((value - least) / spread) * inner));
  const labels = new Map(centres.map((centre, x) => [nameOf(centre), names[x]!]));
  // A single group is centred on its label; several are spread around it.
  const offset = (group: number): number =>
    groups === 1 ? 0 : group * STRIDE - Math.floor((width - STRIDE + 1) / 2);
  return {
    domain: Array.from({ length: inner + 2 * edge + 1 }, (_, slot) => nameOf(slot)),
    slotOf: (x, group) => nameOf(centres[x]! + offset(group)),
    trialsSlotOf: (x, group) => nameOf(centres[x]! + offset(group) + 1),
    labelOf: (slot) => labels.get(slot) ?? '',
  };
}

/**
 * Calculates the slots of the x axis for its positions. `values`: a number for each position, from which distances are calculated. Null if
 * some positions have no number; the distances are then equal.
 */
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

/**
 * Assigns to each slot of the x axis the value of the nearest slot in `taken`. A slot is absent from the result if the nearest slot in
 * `taken` is more than `most` slots away.
 */
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

/**
 * Returns the points of straight lines from each mark to the next, one point for each slot. Elastic Charts cannot draw such a line, because
 * to Elastic Charts slots are categories without distances.
 */
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
