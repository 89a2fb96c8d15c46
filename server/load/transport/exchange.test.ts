import type { Client, Dispatcher } from 'undici';
import { readBulkHead } from '../operations/bulk-answer';
import { Exchange, type Ending } from './exchange';
import { unused } from './wire';

const MB = Buffer.alloc(1024 ** 2, 0x20);

/** Runs an exchange whose endless answer begins with `head`. Returns how many bytes it reads before it closes the connection. */
function goingOn(head: string, status = 200): { taken: number; endings: Ending[] } {
  const endings: Ending[] = [];
  let aborted: Error | undefined;
  const controller = {
    abort: (reason: Error) => (aborted = reason),
  } as unknown as Dispatcher.DispatchController;
  const exchange = new Exchange(
    { client: {} as Client, times: unused() },
    0,
    1000,
    () => 0,
    readBulkHead,
    (_, ending) => endings.push(ending),
  );
  exchange.onRequestStart(controller);
  exchange.onResponseStart(controller, status);
  exchange.onResponseData(controller, Buffer.from(head));
  let taken = 0;
  while (aborted === undefined && taken < 2000) {
    exchange.onResponseData(controller, MB);
    taken += 1;
  }
  if (aborted) exchange.onResponseError(controller, aborted);
  return { taken, endings };
}

test('an endless answer is cut, although its head shows success', () => {
  const { taken, endings } = goingOn('{"errors":false,');
  expect(taken).toBeLessThanOrEqual(513);
  expect(endings).toMatchObject([{ failure: 'answer-too-large', status: 0, body: null }]);
  expect(endings[0]!.message).toContain('512 MB');
});

test('of an answer that is kept to be read, less is taken', () => {
  const { taken, endings } = goingOn('{"errors":true,');
  expect(taken).toBeLessThanOrEqual(67);
  expect(endings).toMatchObject([{ failure: 'answer-too-large' }]);
});

test('an endless error answer is cut too', () => {
  expect(goingOn('<html>', 503).taken).toBeLessThanOrEqual(513);
});
