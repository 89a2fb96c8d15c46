/**
 * Determines what the charts of a run show: the whole run, one environment such as `disk: ssd`, one trial, or a time range. The choice is
 * stored in the URL.
 */
import { useMemo } from 'react';
import { byEnvironment, labelOf } from '../../../common/analysis/environments';
import type { Provenance } from '../../../common/experiment/run';
import { useQueryState } from '../../ui/query-state';
import { parseTime } from '../../../common/units/time';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Returns both ends of a time range in ISO 8601. If `from` and `to` are not a valid time range, both ends are ''. */
export function stretchOf(from: string, to: string): { from: string; to: string } {
  const valid = [from, to].every((text) => ISO.test(text) && !Number.isNaN(parseTime(text)));
  return valid && parseTime(from) < parseTime(to) ? { from, to } : { from: '', to: '' };
}

/** Shortest time range that the charts can show, in ms. Each sample covers one second. */
const LEAST_MS = 5000;

/** Extends a time range that is shorter than {@link LEAST_MS}. The middle stays the same. Both ends are rounded to whole ms. */
export function widened(from: number, to: number): [from: number, to: number] {
  const missing = Math.max(0, LEAST_MS - (to - from)) / 2;
  return [Math.floor(from - missing), Math.ceil(to + missing)];
}

/**
 * The time in which a run used one environment (labels such as `disk: ssd`). Both ends are in ISO 8601. `to` is '' while the environment is
 * still in use.
 */
export interface Block {
  label: string;
  from: string;
  to: string;
}

/** Returns the times in which the run used each environment so far. Empty if there is only one environment. */
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
  /** Id of the trial; '' for the whole run. */
  trial: string;
  /** Start of the time range in ISO 8601. '' if no time range is selected within the run or trial. */
  from: string;
  to: string;
  /** The environment whose time range is shown. Null if the whole run, a trial or a time range is shown. */
  block: Block | null;
  blocks: readonly Block[];
  /** The trial and the time range for which the charts request data. A text that is '' does not limit the request. */
  asked: { trial: string; from: string; to: string };
  /** Shows only this trial. If the trial is already selected, shows the whole run again. */
  toTrial: (trial: string) => void;
  /** Shows only the time range between `from` and `to`, in ms since the epoch. */
  toStretch: (from: number, to: number) => void;
  toBlock: (label: string) => void;
  /** Removes the selected time range. The charts then show the trial, environment or whole run that they showed before. */
  out: () => void;
  whole: () => void;
}

const ALL = 'all';

/**
 * Returns what the charts show, and functions that change it. If the run used several environments, the newest one is shown by default. The
 * charts of the whole run would mostly be empty, because such a run may wait for days between environments.
 */
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
