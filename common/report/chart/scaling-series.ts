/** Rates by nodes, clients or shards with the fitted law, before they are drawn. */
import type { ScaleCurvePoint } from '../../analysis/scaling';
import { scalingUnit } from '../model/capacity';
import type { Report } from '../model/report';
import { fittedIn } from '../model/scaling';
import { rateName } from '../tables/wording';
import { spanOf, type Span } from './axes';

export interface ScalingSeries {
  /** `nodes`; and what of the other factors it was measured with, '' for nothing. */
  name: string;
  group: string;
  unit: string;
  trials: { n: number; rate: number }[];
  /** Up to the largest N that was measured. */
  measured: ScaleCurvePoint[];
  /** From there on; empty where nothing is drawn beyond. */
  beyond: ScaleCurvePoint[];
  /** Null where it cannot be told. */
  peak: { n: number; low: number; high: number } | null;
  x: Span;
  y: Span;
}

/** Room above the highest rate for an interval without an end, as a factor: it is drawn to the edge. */
const EDGE = 1.25;

/** One for each law of `task`. */
export const scalingSeries = (report: Report, task: string): ScalingSeries[] =>
  fittedIn(report.scaling, task).map((own) => {
    const { law, name, group, points } = own;
    const trials = points.flatMap(({ n, rates }) => rates.map((rate) => ({ n, rate })));
    const { curve, peak, measured } = law;
    const rates = [...trials, ...curve].map(({ rate }) => rate);
    const isOpen = curve.some(({ high }) => high === null);
    const edge = isOpen ? [EDGE * Math.max(...rates)] : [];
    const marks = curve.map(({ rate, low, high }) => ({ mean: rate, low, high, values: [] }));
    const hasPeak = peak.state === 'found' && peak.n !== null && peak.low !== null && peak.high !== null;
    return {
      ...{ name, group, trials },
      unit: rateName(scalingUnit(report, own) as Parameters<typeof rateName>[0]),
      measured: curve.filter(({ n }) => n <= measured.most),
      beyond:
        curve.filter(({ n }) => n >= measured.most).length < 2
          ? []
          : curve.filter(({ n }) => n >= measured.most),
      peak: hasPeak ? { n: peak.n!, low: peak.low!, high: peak.high! } : null,
      x: { min: 0, max: curve.at(-1)!.n },
      y: spanOf(marks, { always: [...rates, ...edge], fromZero: true }),
    };
  });
