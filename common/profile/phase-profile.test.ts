import { PhaseProfile } from './phase-profile';
import { charactersOf, totalOf } from './stacks';

/** A reading in which one thread has a stack that no other reading contains. */
const reading = (number: number) => [
  {
    nodeId: 'id-1',
    nodeName: 'dyno-1',
    threads: [
      { thread: 'elasticsearch[dyno-1][write][T#1]', weight: 50_000, frames: ['common'] },
      { thread: 'elasticsearch[dyno-1][write][T#2]', weight: 1000, frames: [`rare-${number}`, 'rare'] },
    ],
  },
];

test('a profile adds up the stacks of all readings', () => {
  const profile = new PhaseProfile();
  profile.add(reading(1));
  profile.add(reading(2));
  const { stacks, samples, folded } = profile.collected();
  expect({ stacks: Object.fromEntries(stacks), samples, folded }).toEqual({
    stacks: {
      'dyno-1;write;common': 100_000,
      'dyno-1;write;rare;rare-1': 1000,
      'dyno-1;write;rare;rare-2': 1000,
    },
    samples: 4,
    folded: 0,
  });
});

test('a stack of a profiler counts as many samples as it was seen', () => {
  const profile = new PhaseProfile();
  const thread = { thread: 'elasticsearch[dyno-1][write][T#1]', weight: 30_000, frames: ['a'], samples: 3 };
  // More stacks than are added at once.
  const rare = Array.from({ length: 5000 }, () => ({ ...thread, weight: 10_000, samples: 1 }));
  profile.add([{ nodeId: 'id-1', nodeName: 'dyno-1', threads: [thread, ...rare] }]);
  const { stacks, samples } = profile.collected();
  expect({ stacks: Object.fromEntries(stacks), samples }).toEqual({
    stacks: { 'dyno-1;write;a': 50_030_000 },
    samples: 5003,
  });
});

test('the CPU time of threads without a stack is distributed among the stacks of their pool', () => {
  const profile = new PhaseProfile();
  const thread = (pool: string, ms: number, frames: string[]) => ({
    thread: `elasticsearch[dyno-1][${pool}][T#1]`,
    weight: ms * 1000,
    frames,
  });
  const translog = 'org.elasticsearch.index.translog.Translog.add';
  const analysis = 'org.apache.lucene.analysis.TokenStream.end';
  profile.add([
    {
      nodeId: 'id-1',
      nodeName: 'dyno-1',
      threads: [
        thread('write', 1, [translog]),
        thread('write', 3, [analysis]),
        thread('write', 8, []),
        thread('search', 5, []),
      ],
    },
  ]);
  expect(profile.byNode().get('id-1')).toEqual({
    readings: 1,
    cpuMs: 17,
    // The stacks of the pool `search` are unknown, so its name decides.
    activities: { translog: 3, analysis: 9, query: 5 },
  });
  const { stacks, samples } = profile.collected();
  expect({ stacks: Object.fromEntries(stacks), samples }).toEqual({
    stacks: {
      [`dyno-1;write;${translog}`]: 3000,
      [`dyno-1;write;${analysis}`]: 9000,
      'dyno-1;search': 5000,
    },
    samples: 2,
  });
});

test('rare stacks are shortened, so that the memory and the result stay small', () => {
  const profile = new PhaseProfile(2000, 300);
  for (let number = 0; number < 1000; number++) profile.add(reading(number));
  const { stacks, samples, folded } = profile.collected();
  expect(charactersOf(stacks)).toBeLessThanOrEqual(300);
  expect({ total: totalOf(stacks), samples }).toEqual({ total: 51_000_000, samples: 2000 });
  expect(stacks.get('dyno-1;write;common')).toBe(50_000_000);
  expect(folded).toBeGreaterThan(0);
  expect(folded).toBeLessThanOrEqual(51_000_000);
});
