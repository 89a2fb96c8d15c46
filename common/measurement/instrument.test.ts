import { summariseMachine } from './instrument';

const second = (busy: number, own: number, steal = 0) => ({ busy, own, steal });

test('others have what neither the generator nor a target on the machine had', () => {
  const seconds = [second(0.9, 0.2, 0.1), second(0.5, 0.2)];
  const apart = summariseMachine(seconds, { here: false, share: null })!;
  expect(apart).toMatchObject({ busy: 0.7, own: 0.2, steal: 0.05, full: 0.5, withTarget: false });
  expect(apart.others).toBeCloseTo(0.55, 6);
  expect(summariseMachine(seconds, { here: true, share: 0.4 })!.others).toBeCloseTo(0.15, 6);
});

test('nothing is said of others where the target shares the machine and its part is not known', () => {
  expect(summariseMachine([second(1, 0.2)], { here: true, share: null })!.others).toBeNull();
  expect(summariseMachine([], { here: true, share: 0.1 })).toBeNull();
});
