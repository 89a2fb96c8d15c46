import { boundaries, phaseAt, phasesWithin, trialStarts, type Phase } from './axis';

const trial = (order: number, start: number): Phase[] =>
  (['prepare', 'warm-up', 'measure', 'drain'] as const).map((phase, index) => ({
    trial: `t${order}`,
    order,
    label: 'all',
    level: 'all',
    phase,
    from: start + index * 10,
    to: start + index * 10 + 10,
  }));

const two = [...trial(0, 0), ...trial(1, 100)];

describe('the phases on the axis', () => {
  it('are found by time, except between trials', () => {
    expect(phaseAt(two, 25)?.phase).toBe('measure');
    expect(phaseAt(two, 105)).toMatchObject({ trial: 't1', phase: 'prepare' });
    expect(phaseAt(two, 70)).toBeUndefined();
  });

  it('are those in the visible range', () => {
    expect(phasesWithin(two, 15, 25).map(({ phase }) => phase)).toEqual(['warm-up', 'measure']);
  });

  it('have marks at both ends of their measured parts, unless there are too many', () => {
    expect(boundaries(two, 0, 200).map(({ at }) => at)).toEqual([20, 30, 120, 130]);
    expect(boundaries(two, 25, 125).map(({ at }) => at)).toEqual([30, 120]);
    const many = Array.from({ length: 13 }, (_, order) => trial(order, order * 100)).flat();
    expect(boundaries(many, 0, 1300)).toEqual([]);
  });

  it('show where trials begin', () => expect(trialStarts(two)).toEqual([0, 100]));
});
