import type { Progress } from '../../../common/measurement/progress';
import { phaseShare, ticking } from './ticking';

const progress: Progress = {
  runId: 'r',
  completed: 1,
  trials: 9,
  current: { order: 1, cell: 'all', repetition: 0 },
  phase: 'measure',
  phaseMs: 10_000,
  phaseLengthMs: 12_000,
  measured: 0,
  remainingMs: 1500,
  tasks: [],
};

describe('progress between two answers', () => {
  it('continues', () => expect(ticking(progress, 1000)).toMatchObject({ phaseMs: 11_000, remainingMs: 500 }));

  it('goes neither beyond the end of its phase nor of the run', () =>
    expect(ticking(progress, 4000)).toMatchObject({ phaseMs: 12_000, remainingMs: 0 }));

  it('stops without messages', () =>
    expect(ticking({ ...progress, phaseLengthMs: null }, 60_000).phaseMs).toBe(15_000));
});

describe('the share of a phase', () => {
  it('is that of its time', () => expect(phaseShare({ ...progress, phase: 'warm-up' })).toBeCloseTo(10 / 12));
  it('is that of its documents if they end it', () =>
    expect(phaseShare({ ...progress, measured: 0.25, phaseLengthMs: null })).toBe(0.25));
  it('is unknown if its length is', () =>
    expect(phaseShare({ ...progress, phase: 'prepare', phaseLengthMs: null })).toBeNull());
});
