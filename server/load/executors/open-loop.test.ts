import { LoadClock } from '../timing/clock';
import { LoopDelay } from '../instrument/loop-delay';
import type { ClientEvents, Operation, OperationClient } from '../operations/operation';
import { Pacer } from '../timing/pacer';
import { Phases } from '../timing/phases';
import type { TaskRecorder } from '../samples/recorder';
import { OpenLoop } from './open-loop';

/** A client whose requests the test sends and answers. */
interface Client extends OperationClient {
  begun: number[];
  events: ClientEvents;
}

/** Creates a loop whose requests are due at `dues`, in ms. The clock begins at 0. */
function loopOf(dues: readonly number[], most: number) {
  let time = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => time);
  const clock = new LoadClock();
  clock.begin({ at: 0, tick: 0 });
  const zero = clock.now();
  const clients: Client[] = [];
  const lags: number[] = [];
  const operation = {
    exhausted: false,
    createClient: (events) => {
      const client: Client = {
        begun: [],
        events,
        begin: (due) => client.begun.push(due! - zero),
        cut: () => undefined,
      };
      clients.push(client);
      return client;
    },
    close: () => undefined,
  } satisfies Operation;
  const recorder = { lagged: (_sent: number, ms: number) => lags.push(ms) } as unknown as TaskRecorder;
  const pacer = new Pacer(clock, new LoopDelay());
  const loop = new OpenLoop(
    {
      clock,
      phases: new Phases(0, 1e9),
      share: { index: 0, of: 1 },
      operation,
      recorder,
      pacer,
      onEnded: () => undefined,
      onStep: () => undefined,
    },
    { due: (own) => zero + (dues[own] ?? Infinity), dueBefore: () => 0 },
    most,
  );
  return {
    loop,
    clients,
    lags,
    at: (ms: number) => (time = ms),
    /** Reports that the client's request was written at `sent` and answered at `end`. */
    answered: (client: Client, sent: number, end: number) => {
      time = end;
      client.events.onSent(client, zero + sent);
      client.events.onDone(client, 'answered', zero + end);
    },
    close: () => pacer.close(),
  };
}

afterEach(() => jest.restoreAllMocks());

test('a request lags until it is written, not until it is handed over', () => {
  const { loop, clients, lags, at, answered, close } = loopOf([1], 1);
  at(1.25);
  loop.start();
  answered(clients[0]!, 1.75, 6);
  expect(lags).toEqual([0.75]);
  close();
});

test('a request that waited for a client lags from when one was free, whatever became free later', () => {
  const { loop, clients, lags, at, answered, close } = loopOf([1, 2, 3], 1);
  at(1);
  loop.start();
  answered(clients[0]!, 1, 10);
  answered(clients[0]!, 10.5, 20);
  answered(clients[0]!, 20.25, 21);
  expect(lags).toEqual([0, 0.5, 0.25]);
  close();
});
