/** Calculates the chart of rates by number of nodes, clients or shards, with the fitted law. */
import type { ScaleCurvePoint } from '../../analysis/scaling';
import { scalingUnit } from '../model/capacity';
import type { Report } from '../model/report';
import { fittedIn } from '../model/scaling';
import { rateName } from '../tables/wording';
import { spanOf, type Span } from './axes';

export interface ScalingSeries {
  /** Name of the factor, such as `nodes`. */
  name: string;
  /** Levels of the other factors; '' if there are no other factors. */
  group: string;
  unit: string;
  trials: { n: number; rate: number }[];
  /** Curve up to the largest measured N. */
  measured: ScaleCurvePoint[];
  /** Curve beyond the largest measured N. Empty if the curve ends there. */
  beyond: ScaleCurvePoint[];
  /** The peak with its interval. Null if it is unknown. */
  peak: { n: number; low: number; high: number } | null;
  x: Span;
  y: Span;
}

/** Factor between the highest rate and the end of the axis, if an interval has no upper end. The interval is then drawn up to the edge. */
const EDGE = 1.25;

/** Returns a chart for each law of `task`. */
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
