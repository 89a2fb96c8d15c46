import { clientsAt } from './ramping-clients';

test('clients ramp linearly from stage to stage, and the last number stays', () => {
  const job = {
    start: 2,
    stages: [
      { clients: 10, overMs: 1000 },
      { clients: 0, overMs: 500 },
      { clients: 5, overMs: 0 },
    ],
  };
  expect([0, 500, 999, 1250, 1500, 9999].map((time) => clientsAt(job, time))).toEqual([2, 6, 10, 5, 5, 5]);
});
