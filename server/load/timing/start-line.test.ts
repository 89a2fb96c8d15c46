import { StartLine } from './start-line';

/** Creates a start line for threads that answer after these times, in ms of a fake clock. */
function lineOf(...answerMs: number[]): { line: StartLine; pings: () => number } {
  let now = 0;
  let pings = 0;
  const line = new StartLine({
    threads: answerMs.length,
    now: () => now,
    ping: () => {
      pings += 1;
      const asked = now;
      const [...all] = answerMs.map((ms) => asked + ms).sort((a, b) => a - b);
      queueMicrotask(() => {
        for (const at of all) {
          now = at;
          line.arrived();
        }
      });
    },
  });
  return { line, pings: () => pings };
}

describe('the threads of a load', () => {
  it('start a multiple of their slowest answer after they are notified', async () => {
    const { line } = lineOf(3, 50, 8);
    for (let thread = 0; thread < 3; thread += 1) line.arrived();
    await expect(line.ready).resolves.toBe(200);
  });

  it('are given as long as a timer and a clock need, however fast they answer', async () => {
    const { line } = lineOf(0.1);
    line.arrived();
    await expect(line.ready).resolves.toBe(20);
  });

  it('are asked for nothing until all of them are ready', async () => {
    const { line, pings } = lineOf(1, 1);
    line.arrived();
    expect(pings()).toBe(0);
    line.arrived();
    expect(pings()).toBe(1);
    await line.ready;
    expect(pings()).toBe(3);
  });

  it('are not waited for once the load is to end, or has failed', async () => {
    const stopped = lineOf(1).line;
    stopped.giveUp();
    await expect(stopped.ready).resolves.toBe(0);
    const failed = lineOf(1).line;
    failed.fail(new Error('no such file'));
    await expect(failed.ready).rejects.toThrow('no such file');
  });
});
