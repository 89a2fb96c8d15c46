/** Which part of a run its charts show: all of it, an environment, a trial, or a stretch of time. The address carries it. */
import { useMemo } from 'react';
import { byEnvironment, labelOf } from '../../../common/analysis/environments';
import type { Provenance } from '../../../common/experiment/run';
import { useQueryState } from '../../ui/query-state';
import { parseTime } from '../../../common/units/time';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Both ends in ISO 8601, or both '' where they are no stretch of time. */
export function stretchOf(from: string, to: string): { from: string; to: string } {
  const valid = [from, to].every((text) => ISO.test(text) && !Number.isNaN(parseTime(text)));
  return valid && parseTime(from) < parseTime(to) ? { from, to } : { from: '', to: '' };
}

/** At least this long, ms: a sample is a second. */
const LEAST_MS = 5000;

/** Around the same middle, long enough to show something; whole milliseconds. */
export function widened(from: number, to: number): [from: number, to: number] {
  const missing = Math.max(0, LEAST_MS - (to - from)) / 2;
  return [Math.floor(from - missing), Math.ceil(to + missing)];
}

/** An environment of the run, from its first block to its last; ISO 8601, `to` '' while it goes on. */
export interface Block {
  label: string;
  from: string;
  to: string;
}

/** Those that the run has been in; none where it has only one, which is all of it. */
export function blocksIn(provenance: Provenance | null): Block[] {
  const groups = byEnvironment(provenance);
  return groups.length < 2
    ? []
    : groups.map((group) => ({
        label: labelOf(group[0]!),
        from: group[0]!.since,
        to: group.at(-1)!.until ?? '',
      }));
}

export interface Zoom {
  /** Trial id; '' for the whole run. */
  trial: string;
  /** ISO 8601; '' for all of the run or the trial. */
  from: string;
  to: string;
  /** Of `blocks` the one that is shown; null for all, a trial or a stretch. */
  block: Block | null;
  blocks: readonly Block[];
  /** What the charts ask for: the stretch, or that of the block. */
  asked: { trial: string; from: string; to: string };
  /** The same trial once more goes back to the whole run. */
  toTrial: (trial: string) => void;
  /** ms since the epoch. */
  toStretch: (from: number, to: number) => void;
  toBlock: (label: string) => void;
  /** A step back: from a stretch to what it was taken from. */
  out: () => void;
  whole: () => void;
}

const ALL = 'all';

/** A run that waited for days has hours to show: where it was in several environments, the newest one is what is shown. */
export function useZoom(provenance: Provenance | null): Zoom {
  const [trial, setTrial] = useQueryState('trial');
  const [givenFrom, setFrom] = useQueryState('from');
  const [givenTo, setTo] = useQueryState('to');
  const [environment, setEnvironment] = useQueryState('environment');
  const { from, to } = stretchOf(givenFrom, givenTo);
  const blocks = useMemo(() => blocksIn(provenance), [provenance]);
  return useMemo(() => {
    const set = (nextTrial: string, nextFrom: string, nextTo: string, nextEnvironment: string): void => {
      setTrial(nextTrial);
      setFrom(nextFrom);
      setTo(nextTo);
      setEnvironment(nextEnvironment);
    };
    const whole = blocks.length === 0 ? '' : ALL;
    const own = blocks.find(({ label }) => label === environment) ?? blocks.at(-1) ?? null;
    const block = trial !== '' || from !== '' || environment === ALL ? null : own;
    return {
      trial,
      from,
      to,
      block,
      blocks,
      asked: block ? { trial, from: block.from, to: block.to } : { trial, from, to },
      toTrial: (next) => set(next === trial ? '' : next, '', '', environment),
      toStretch: (start, end) => {
        const ends = widened(start, end).map((at) => new Date(at).toISOString());
        set(trial, ends[0]!, ends[1]!, environment);
      },
      toBlock: (label) => set('', '', '', label),
      out: () => set(trial, '', '', environment),
      whole: () => set('', '', '', whole),
    };
  }, [trial, from, to, environment, blocks, setTrial, setFrom, setTo, setEnvironment]);
}
