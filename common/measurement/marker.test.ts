import { markedPhases } from './marker';

const at = (second: number): number => Date.UTC(2026, 0, 1, 0, 0, second);
const iso = (second: number): string => new Date(at(second)).toISOString();

describe('the phases of a trial', () => {
  it('follow each other without a gap', () => {
    const times = { prepare: at(0), warmup: at(2), measure: at(7), drain: at(27), ended: at(28) };
    expect(markedPhases(times)).toEqual([
      { phase: 'prepare', from: iso(0), until: iso(2) },
      { phase: 'warm-up', from: iso(2), until: iso(7) },
      { phase: 'measure', from: iso(7), until: iso(27) },
      { phase: 'drain', from: iso(27), until: iso(28) },
    ]);
  });

  it('leave out a warm-up of length 0', () => {
    const times = { prepare: at(0), warmup: at(2), measure: at(2), drain: null, ended: null };
    expect(markedPhases(times).map(({ phase, until }) => [phase, until])).toEqual([
      ['prepare', iso(2)],
      ['measure', null],
    ]);
  });

  it('have no end until it is known', () => {
    expect(markedPhases({ prepare: at(0), warmup: null, measure: null, drain: null, ended: null })).toEqual([
      { phase: 'prepare', from: iso(0), until: null },
    ]);
  });
});
