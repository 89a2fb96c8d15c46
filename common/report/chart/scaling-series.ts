/** Calculates the chart of rates by number of nodes, clients or shards, with the fitted universal scalability law. */
import type { ScaleCurvePoint } from '../../analysis/scaling';
import { scalingUnit } from '../model/capacity';
import type { Report } from '../model/report';
import { fittedIn } from '../model/scaling';
import { rateName } from '../tables/wording';
import { spanOf, type Span } from './axes';

export interface ScalingSeries {
  /** Name of the factor, such as `nodes`. */
  name: string;
  /** Levels of the factors other than `name`, as text; '' if there are no other factors. */
  group: string;
  unit: string;
  trials: { n: number; rate: number }[];
  /** Curve up to the largest measured value of the factor, such as 64 clients. */
  measured: ScaleCurvePoint[];
  /** Continuation of the curve beyond the largest measured value of the factor. Empty if the curve ends there. */
  beyond: ScaleCurvePoint[];
  /** Value `n` of the factor with the highest rate, and the 95% interval of this `n`. Null if unknown. */
  peak: { n: number; low: number; high: number } | null;
  x: Span;
  y: Span;
}

/**
 * Upper end of the rate axis as a multiple of the highest rate, if an interval has no upper end. The highest rate is that of a trial or of
 * the curve. The interval is drawn up to the end of the axis.
 */
const EDGE = 1.25;

/** Returns the values of one chart for each scalability law of `task`. */
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
