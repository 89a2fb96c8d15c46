/** Judges the load generator by its measurements of a simulated server of known behaviour. These functions are pure. */
import { figureName } from '../../common/analysis/instrument';
import type {
  CertificationAnswer,
  CertifiedBehaviour,
  FigureVerdict,
} from '../../common/measurement/certification';
import { formatMs, formatPercent, plural } from '../../common/units/format';
import { behaviourNamed } from './behaviours';
import type { Figure, Measurement } from './measure';

/** A measured value is right if it differs from the truth by at most this share of the truth. */
const RIGHT_SHARE = 0.01;
/** Even with a larger relative difference, a measured value is right if it differs from the truth by at most this many ms. */
const RIGHT_MS = 0.3;
/**
 * A measured value is misleading if it differs from the truth by more than this share of the truth, and the load generator did not warn
 * about the value.
 */
const FAR_OFF = 0.1;
/**
 * The load generator is not certified if it adds more than a tenth to a median of at least this many ms. A warning about the value does not
 * change that. Most behaviours have a median of 5 ms.
 */
const MEDIAN_MS = 5;
/**
 * If other processes use more than this share of the machine's CPU, they may have caused wrong or flagged values. If there are such values,
 * the certification then has the result `busy`.
 */
const OTHERS_MOST = 0.1;

export function judgeFigure({ said, truth, ownMs, doubted }: Figure): FigureVerdict {
  const off = Math.abs(said - truth);
  const room = Math.max(RIGHT_MS, RIGHT_SHARE * truth);
  if (off <= room) return 'right';
  if (doubted) return 'doubted';
  return off <= ownMs + room ? 'stated' : 'wrong';
}

/** Converts a measurement to the form that reports show and Dyno stores. Adds a verdict for each value. */
export function certifiedBehaviour(measurement: Measurement): CertifiedBehaviour {
  const { behaviour, perSecond, said, truth, figures } = measurement;
  return {
    behaviour,
    text: behaviourNamed(behaviour).text,
    perSecond,
    countsAreExact: countsAreExact(measurement),
    said,
    truth,
    figures: figures.map((figure) => ({
      ...figure,
      // JSON has no Infinity. Infinity means that it is unknown how much the load generator added to the value.
      ownMs: figure.ownMs === Infinity ? null : figure.ownMs,
      verdict: judgeFigure(figure),
    })),
  };
}

const isFarOff = ({ said, truth, doubted }: Figure): boolean =>
  !doubted && Math.abs(said - truth) > Math.max(RIGHT_MS, FAR_OFF * truth);

export const countsAreExact = ({ said, truth }: Measurement): boolean =>
  said.accepted === truth.accepted && said.rejected === truth.rejected;

/**
 * Whether the load generator counted wrongly: it reported more accepted or rejected requests than the target, or fewer requests than the
 * target received. A busy machine does not excuse such an error.
 */
const isMiscounted = ({ said, truth }: Measurement): boolean =>
  said.accepted > truth.accepted || said.rejected > truth.rejected || said.requests < truth.requests;

const whereOf = ({ behaviour, perSecond }: Measurement): string =>
  `${behaviourNamed(behaviour).name} at ${perSecond}/s`;

const othersOf = ({ generator: { machine } }: Measurement): number => machine?.others ?? 0;

/** Returns the result of the certification (`answer`), and a clause that explains it (`why`). */
export function judge(measurements: readonly Measurement[]): { answer: CertificationAnswer; why: string } {
  const figures = measurements.flatMap((measurement) =>
    measurement.figures.map((figure) => ({ measurement, figure, verdict: judgeFigure(figure) })),
  );
  const miscounted = measurements.filter(isMiscounted);
  if (miscounted.length > 0)
    return { answer: 'not-certified', why: `its counts are not the target’s (${whereOf(miscounted[0]!)})` };
  const far = figures.find(({ figure }) => isFarOff(figure));
  if (far !== undefined) {
    const { said, truth, key, of } = far.figure;
    return {
      answer: 'not-certified',
      why: `${figureName(key)} of ${of === 'service' ? 'service time' : 'latency'} was reported as ${formatMs(said)}, but is ${formatMs(truth)}, and was not flagged (${whereOf(far.measurement)})`,
    };
  }
  const wrong = figures.filter(({ verdict }) => verdict === 'wrong');
  const doubted = figures.filter(({ verdict }) => verdict === 'doubted');
  const others = Math.max(0, ...measurements.map(othersOf));
  if (others > OTHERS_MOST && wrong.length + doubted.length > 0)
    return {
      answer: 'busy',
      why: `other work had up to ${formatPercent(others)} of the machine’s cores, and ${plural(doubted.length, 'value')} of ${figures.length} could not be distinguished from it`,
    };
  const short = measurements.find((measurement) => !countsAreExact(measurement));
  if (short !== undefined) {
    const missing = short.truth.accepted - short.said.accepted;
    return others > OTHERS_MOST
      ? {
          answer: 'busy',
          why: `other work had up to ${formatPercent(others)} of the machine’s cores, and ${plural(missing, 'response')} came too late`,
        }
      : {
          answer: 'not-certified',
          why: `${plural(missing, 'response')} came too late for the load generator (${whereOf(short)})`,
        };
  }
  if (wrong.length > 0) {
    const { said, truth, key } = wrong[0]!.figure;
    return {
      answer: 'not-certified',
      why: `${plural(wrong.length, 'value')} of ${figures.length} differ by more than the load generator reports: ${figureName(key)} was reported as ${formatMs(said)}, but is ${formatMs(truth)} (${whereOf(wrong[0]!.measurement)})`,
    };
  }
  const median = figures.find(
    ({ figure: { key, said, truth } }) =>
      key === 'p50' && Math.round(truth) >= MEDIAN_MS && said - truth > FAR_OFF * truth,
  );
  if (median !== undefined)
    return {
      answer: 'not-certified',
      why: `it adds more than a tenth to a median of ${formatMs(median.figure.truth)} (${whereOf(median.measurement)})`,
    };
  const right = figures.filter(({ verdict }) => verdict === 'right').length;
  return {
    answer: 'certified',
    why: `${right} of ${plural(figures.length, 'value')} are right within 1% or ${RIGHT_MS} ms, the others differ by no more than reported or are flagged, and all counts are exact`,
  };
}
