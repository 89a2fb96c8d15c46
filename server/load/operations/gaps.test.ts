import { until } from '../../../test/support/until';
import { LoadClock, loadStart } from '../timing/clock';
import { LoopDelay } from '../instrument/loop-delay';
import { Pacer } from '../timing/pacer';
import { Gaps } from './gaps';

test('gaps end in their order, not before their time, and not at all once they are called off', async () => {
  const clock = new LoadClock();
  clock.begin(loadStart(Date.now()));
  const pacer = new Pacer(clock, new LoopDelay());
  const gaps = new Gaps(clock, pacer, 20);
  const ended: { name: string; late: number }[] = [];
  const begin = (name: string): (() => void) => {
    const from = clock.now();
    return gaps.after(from, () => ended.push({ name, late: clock.now() - from - 20 }));
  };
  begin('first');
  const callOff = begin('second');
  const early = clock.now();
  await until('some time between them', () => clock.now() > early + 10);
  begin('third');
  callOff();
  // When a later gap has ended, every earlier gap that was not cancelled has ended too.
  await until('the third', () => ended.some(({ name }) => name === 'third'));
  pacer.close();
  expect(ended.map(({ name }) => name)).toEqual(['first', 'third']);
  for (const { late } of ended) expect(late).toBeGreaterThanOrEqual(0);
});
