/** `dyno certify`: tests the load generator of this machine against targets of known behaviour. */
import { messageOf } from '../../../common/problem';
import {
  FIGURE_MARKS,
  markOf,
  sayCertification,
  type CertificationAnswer,
  type CertifiedBehaviour,
  type CertifiedFigure,
} from '../../../common/measurement/certification';
import { figureName } from '../../../common/analysis/instrument';
import { formatMs } from '../../../common/units/format';
import { certify, type CertifyFiles } from '../../certify/certify';
import { keepCertification } from '../../certify/kept';
import { certifiedBehaviour } from '../../certify/verdict';
import { dataFolder } from '../host';
import type { Console } from '../terminal/console';

/** Exit code for each result. `busy`: the result is undecided, because the machine was too busy for the test. */
export const EXIT_CERTIFY: Readonly<Record<CertificationAnswer, number>> = {
  certified: 0,
  'not-certified': 1,
  busy: 4,
};

const figureText = ({ key, said, truth, verdict }: CertifiedFigure): string =>
  `${figureName(key)} ${formatMs(said)} of ${formatMs(truth)}${markOf(verdict)}`;

const MARKS = Object.values(FIGURE_MARKS)
  .map(({ mark, text }) => `${mark} ${text}`)
  .join(', ');

/** Returns three lines about a test against a target with known behaviour: counts of requests, latency and service time. */
function behaviourLines({
  behaviour,
  text,
  perSecond,
  countsAreExact,
  figures,
}: CertifiedBehaviour): string[] {
  const line = (of: CertifiedFigure['of']): string =>
    figures
      .filter((figure) => figure.of === of)
      .map(figureText)
      .join(', ');
  return [
    `${behaviour} (${text}), ${perSecond}/s: counts ${countsAreExact ? 'exact' : 'not exact'}`,
    `  latency       ${line('latency')}`,
    `  service time  ${line('service')}`,
  ];
}

/** Executes `dyno certify`. Resolves to the exit code. */
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
  const measured = measurements.map(certifiedBehaviour);
  const kept = await keepCertification(dataFolder(), { certification, measured }).catch((error: unknown) => {
    console.warn(`the certification could not be saved, so reports will not quote it: ${messageOf(error)}`);
    return null;
  });
  if (json) {
    const withMachines = measured.map((one, place) => ({
      ...one,
      machine: measurements[place]!.generator.machine,
    }));
    console.print(JSON.stringify({ ...certification, measurements: withMachines }, null, 2));
  } else {
    console.print(
      [
        `Measured by Dyno, of the value in the target’s own log; ${MARKS}`,
        ...measured.flatMap(behaviourLines),
        '',
        `This instrument is ${sayCertification(certification)}.`,
        ...(kept === null ? [] : [`Reports of runs on this machine quote it (${kept}).`]),
      ].join('\n'),
    );
  }
  return EXIT_CERTIFY[certification.answer];
}
