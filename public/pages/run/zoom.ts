/** Which part of a run its charts show: all of it, a trial, or a stretch of time. The address carries it. */
import { useMemo } from 'react';
import { useQueryState } from '../../ui/query-state';
import { stretchOf, widened } from './stretch';

export interface Zoom {
  /** Trial id; '' for the whole run. */
  trial: string;
  /** ISO 8601; '' for all of the run or the trial. */
  from: string;
  to: string;
  /** The same trial once more goes back to the whole run. */
  toTrial: (trial: string) => void;
  /** ms since the epoch. */
  toStretch: (from: number, to: number) => void;
  /** A step back: from a stretch to what it was taken from. */
  out: () => void;
  whole: () => void;
}

export function useZoom(): Zoom {
  const [trial, setTrial] = useQueryState('trial');
  const [givenFrom, setFrom] = useQueryState('from');
  const [givenTo, setTo] = useQueryState('to');
  const { from, to } = stretchOf(givenFrom, givenTo);
  return useMemo(() => {
    const set = (nextTrial: string, nextFrom: string, nextTo: string): void => {
      setTrial(nextTrial);
      setFrom(nextFrom);
      setTo(nextTo);
    };
    return {
      trial,
      from,
      to,
      toTrial: (next) => set(next === trial ? '' : next, '', ''),
      toStretch: (start, end) => {
        const ends = widened(start, end).map((at) => new Date(at).toISOString());
        set(trial, ends[0]!, ends[1]!);
      },
      out: () => set(trial, '', ''),
      whole: () => set('', '', ''),
    };
  }, [trial, from, to, setTrial, setFrom, setTo]);
}
