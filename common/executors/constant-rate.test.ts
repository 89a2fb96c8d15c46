import { constantSchedule } from './constant-rate';

test('a constant rate does not drift, however long it lasts', () => {
  expect(constantSchedule(3).due(3 * 86_400)).toBe(86_400_000);
  expect(constantSchedule(1000 / 7).due(1000)).toBeCloseTo(7000, 6);
});
