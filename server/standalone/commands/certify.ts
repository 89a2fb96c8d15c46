/** `dyno certify`: holds the load generator of this machine against targets of known behaviour. */
import { messageOf } from '../../../common/problem';
import { sayCertification, type CertificationAnswer } from '../../../common/measurement/certification';
import { figureName } from '../../../common/analysis/instrument';
import { formatMs } from '../../../common/units/format';
import { behaviourNamed } from '../../certify/behaviours';
import { certify, type CertifyFiles } from '../../certify/certify';
import { keepCertification } from '../../certify/kept';
import type { Figure, Measurement } from '../../certify/measure';
import { countsAreExact, judgeFigure, type FigureVerdict } from '../../certify/verdict';
import { dataFolder } from '../host';
import type { Console } from '../terminal/console';

/** Too busy is neither: the same command on a quiet machine says which. */
export const EXIT_CERTIFY: Readonly<Record<CertificationAnswer, number>> = {
  certified: 0,
  'not-certified': 1,
  busy: 4,
};

const MARKS: Readonly<Record<FigureVerdict, string>> = { right: '', stated: '~', doubted: '?', wrong: '!' };

const figureText = (figure: Figure): string => {
  const { key, said, truth } = figure;
  return `${figureName(key)} ${formatMs(said)} of ${formatMs(truth)}${MARKS[judgeFigure(figure)]}`;
};

/** Two lines: latency and service time. */
export function measurementLines(measurement: Measurement): string[] {
  const { behaviour, perSecond, figures } = measurement;
  const { name, text } = behaviourNamed(behaviour);
  const line = (of: Figure['of']): string =>
    figures
      .filter((figure) => figure.of === of)
      .map(figureText)
      .join(', ');
  return [
    `${name} (${text}), ${perSecond}/s: counts ${countsAreExact(measurement) ? 'exact' : 'not exact'}`,
    `  latency       ${line('latency')}`,
    `  service time  ${line('service')}`,
  ];
}

/** Resolves to the exit code. */
export async function certifyCommand(
  { json }: { json?: boolean },
  { console, version, ...files }: CertifyFiles & { console: Console; version: string },
): Promise<number> {
  console.say(
    'certifying the load generator of this machine against targets of known behaviour: two minutes',
  );
  const { certification, measurements } = await certify({
    ...files,
    version,
    onMeasured: (measurement, done, of) => {
      console.say(`${done} of ${of}: ${measurement.behaviour} at ${measurement.perSecond}/s`);
    },
  });
  const kept = await keepCertification(dataFolder(), certification).catch((error: unknown) => {
    console.warn(`the certification could not be kept, so reports will not quote it: ${messageOf(error)}`);
    return null;
  });
  if (json) {
    const told = measurements.map(
      ({ behaviour, perSecond, figures, said, truth, generator: { machine } }) => ({
        behaviour,
        perSecond,
        // JSON has no Infinity: nobody can say how much is the instrument's.
        figures: figures.map((figure) => ({
          ...figure,
          ownMs: figure.ownMs === Infinity ? null : figure.ownMs,
          verdict: judgeFigure(figure),
        })),
        said,
        truth,
        machine,
      }),
    );
    console.print(JSON.stringify({ ...certification, measurements: told }, null, 2));
  } else {
    console.print(
      [
        'What Dyno says of what the target’s own log says; ~ off by no more than Dyno says may be its own, ? doubted, ! wrong',
        ...measurements.flatMap(measurementLines),
        '',
        `This instrument is ${sayCertification(certification)}.`,
        ...(kept === null ? [] : [`Reports of runs on this machine quote it (${kept}).`]),
      ].join('\n'),
    );
  }
  return EXIT_CERTIFY[certification.answer];
}
