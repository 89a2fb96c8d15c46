/** What a chart of intervals draws, from its marks: each series' points by their slots. */
import { clipped, type Mark, type Span } from '../../../common/report/chart/axes';
import type { TooltipEntry } from './chart-tooltip';
import { joined, nearest, type Slots } from './slots';

/** One cell in the picture. */
export interface IntervalMark extends Mark {
  x: number;
  group: number;
  heading: string;
  lines: TooltipEntry['lines'];
}

interface Datum extends IntervalMark {
  slot: string;
}

export interface IntervalParts {
  /** What the pointer means at a slot. */
  bySlot: Map<string, Datum>;
  hovers: { slot: string; mean: number | null }[];
  intervals: { slot: string; group: number; low: number; high: number }[];
  /** By group. */
  means: Datum[][];
  courses: { slot: string; mean: number }[][];
  trials: { slot: string; value: number }[][];
}

/** How far beside a mark the pointer still means it, in slots. */
const REACH = 6;

export function intervalParts(
  marks: readonly IntervalMark[],
  groups: readonly { joined: boolean }[],
  slots: Slots,
  span: Span,
): IntervalParts {
  const data = marks.map((mark): Datum => ({ ...mark, slot: slots.slotOf(mark.x, mark.group) }));
  const bySlot = nearest(slots.domain, new Map(data.map((datum) => [datum.slot, datum])), REACH);
  const own = groups.map((_, group) => data.filter((datum) => datum.group === group));
  return {
    bySlot,
    // Every slot near a mark has something to tell, so that the pointer need not meet it exactly; and the first series
    // names all slots in their order, which is the order in which lines go through them.
    hovers: slots.domain.map((slot) => ({ slot, mean: bySlot.get(slot)?.mean ?? null })),
    intervals: data.flatMap((datum) => {
      const inside = clipped(datum.low, datum.high, span);
      return inside === null ? [] : [{ slot: datum.slot, group: datum.group, ...inside }];
    }),
    means: own.map((of) => of.filter(({ mean }) => mean !== null)),
    courses: groups.map((group, at) => (group.joined ? joined(slots.domain, own[at]!) : [])),
    trials: own.map((of, group) =>
      of.flatMap(({ x, values }) => values.map((value) => ({ slot: slots.trialsSlotOf(x, group), value }))),
    ),
  };
}
