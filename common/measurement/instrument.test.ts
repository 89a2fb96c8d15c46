import { summariseMachine } from './instrument';

const second = (busy: number, own: number, steal = 0) => ({ busy, own, steal });

test('others is the CPU time that neither the load generator nor a target on the machine used', () => {
  const seconds = [second(0.9, 0.2, 0.1), second(0.5, 0.2)];
  const apart = summariseMachine(seconds, { here: false, share: null })!;
  expect(apart).toMatchObject({ busy: 0.7, own: 0.2, steal: 0.05, full: 0.5, withTarget: false });
  expect(apart.others).toBeCloseTo(0.55, 6);
  expect(summariseMachine(seconds, { here: true, share: 0.4 })!.others).toBeCloseTo(0.15, 6);
});

test('others is null if the target shares the machine and its CPU time is unknown', () => {
  expect(summariseMachine([second(1, 0.2)], { here: true, share: null })!.others).toBeNull();
  expect(summariseMachine([], { here: true, share: 0.1 })).toBeNull();
});
