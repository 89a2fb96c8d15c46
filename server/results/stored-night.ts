/**
 * A night as it stands in its run's document: JSON in fields of type `binary`, each a column of its own on disk. Thousands are read
 * without the documents around them, and the figures of the cluster only where they are asked for.
 */
import { NIGHT_VERSION, type Night, type NightFigures } from '../../common/history/night';
import type { KeptNight } from '../../common/experiment/run';

/** What a run's document says elsewhere is not kept twice. */
type KeptFigures = Omit<Night, 'run' | 'at' | 'cluster'>;

interface Versioned<T> {
  version: number;
  of: T;
}

const pack = <T>(of: T): string => {
  const kept: Versioned<T> = { version: NIGHT_VERSION, of };
  return Buffer.from(JSON.stringify(kept)).toString('base64');
};

/** Undefined for what another version kept. */
const unpack = <T>(text: string): T | undefined => {
  const { version, of } = JSON.parse(Buffer.from(text, 'base64').toString()) as Versioned<T>;
  return version === NIGHT_VERSION ? of : undefined;
};

export const keptNight = ({ run: _run, at: _at, cluster, ...figures }: Night): KeptNight => ({
  figures: pack<KeptFigures>(figures),
  cluster: pack<Night['cluster']>(cluster),
});

/** Undefined where there is none, or another version of Dyno kept it: it is made of the run's trials then. */
export function nightKept(
  { run, at }: Pick<Night, 'run' | 'at'>,
  { figures, cluster }: { figures: string | undefined; cluster: string | undefined },
): Night | undefined {
  const own = figures === undefined ? undefined : unpack<KeptFigures>(figures);
  const ofCluster: readonly NightFigures[] | undefined =
    cluster === undefined ? [] : unpack<Night['cluster']>(cluster);
  return own && ofCluster && { run, at, ...own, cluster: ofCluster };
}
