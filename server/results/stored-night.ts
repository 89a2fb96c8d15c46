/**
 * A night as it stands in its run's document: compressed JSON in fields of type `binary`, each a column of its own on disk.
 * Thousands are read without the documents around them, and the figures of the cluster only where they are asked for.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { NIGHT_VERSION, type Night } from '../../common/history/night';
import type { KeptNight } from '../../common/experiment/run';

/** What a run's document says elsewhere is not kept twice. */
type KeptFigures = Omit<Night, 'run' | 'at' | 'cluster'>;

/** What each begins with that this version has packed: three bytes, which are four characters of base64. */
const BEGINS = `n${String(NIGHT_VERSION).padStart(2, '0')}`;
/** Of zlib's levels the fastest: a night of 20 cells and 10 metrics takes a third of its room, 2.8 in place of 8.8 KB. */
const FAST = { level: 1 };

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const pack = (of: KeptFigures | Night['cluster']): string =>
  Buffer.concat([Buffer.from(BEGINS), deflateRawSync(JSON.stringify(of), FAST)]).toString('base64');

/** Of Dyno before nights were compressed, `{"version":2,"of":...}`: whole groups of three bytes of how it begins. */
const PLAIN = base64('{"version":2,"of":');
const isPlain = (text: string): boolean => NIGHT_VERSION === 2 && text.startsWith(PLAIN);

/** Whether it is of this version of Dyno, without a look into the rest. */
const isOwn = (text: string): boolean => text.startsWith(base64(BEGINS)) || isPlain(text);

const unpack = (text: string): unknown => {
  const bytes = Buffer.from(text, 'base64');
  if (isPlain(text)) return (JSON.parse(bytes.toString()) as { of: unknown }).of;
  return JSON.parse(inflateRawSync(bytes.subarray(BEGINS.length)).toString());
};

export const keptNight = ({ run: _run, at: _at, cluster, ...figures }: Night): KeptNight => ({
  figures: pack(figures),
  cluster: pack(cluster),
});

/** A night whose figures are still packed: thousands of them are handed on as they are, to whoever looks into them. */
export interface PackedNight extends Pick<Night, 'run' | 'at'> {
  figures: string;
  /** Undefined where it was not asked for. */
  cluster: string | undefined;
}

export const isPacked = (night: Night | PackedNight): night is PackedNight =>
  typeof night.figures === 'string';

/** Undefined where there is none, or another version of Dyno kept it: it is made of the run's trials then. */
export const nightKept = (
  { run, at }: Pick<Night, 'run' | 'at'>,
  { figures, cluster }: { figures: string | undefined; cluster: string | undefined },
): PackedNight | undefined =>
  figures !== undefined && isOwn(figures) && (cluster === undefined || isOwn(cluster))
    ? { run, at, figures, cluster }
    : undefined;

/** None where they were not asked for. */
export const unpackCluster = ({ cluster }: PackedNight): Night['cluster'] =>
  cluster === undefined ? [] : (unpack(cluster) as Night['cluster']);

/** Without figures of the cluster where those were not asked for. */
export const unpackNight = (night: PackedNight): Night => ({
  run: night.run,
  at: night.at,
  ...(unpack(night.figures) as KeptFigures),
  cluster: unpackCluster(night),
});

const areSameCells = (one: Night['cells'], other: Night['cells']): boolean =>
  one.length === other.length &&
  one.every(({ id, label, definition }, place) => {
    const own = other[place]!;
    return id === own.id && label === own.label && definition === own.definition;
  });

/** As they came, but nights one after the other that have the same cells hold them once, and hand them over once. */
export function sharingCells<N extends Pick<Night, 'cells'>>(nights: readonly N[]): readonly N[] {
  let cells: Night['cells'] = [];
  for (const night of nights) {
    if (areSameCells(cells, night.cells)) night.cells = cells;
    else ({ cells } = night);
  }
  return nights;
}
