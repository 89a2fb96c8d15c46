import { readExpectation, unmet, type Expectation } from './expectation';

const ANSWER = { hits: { total: { value: 3 } }, values: [[1, 'a']], is_partial: false, id: null };
const read = (text: string): Expectation => readExpectation(text)!;

test.each([
  'hits.total.value > 0',
  'hits.total.value>=3',
  'hits.total.value != 4',
  'values.length == 1',
  'values.0.1 == "a"',
  'is_partial == false',
  'id == null',
])('%s holds', (text) => {
  expect(unmet([read(text)], ANSWER)).toBeNull();
});

test('an unmet condition is reported with the value that was found', () => {
  expect(unmet([read('is_partial == false'), read('hits.total.value > 5')], ANSWER)).toBe(
    'expected hits.total.value > 5, and hits.total.value is 3',
  );
  expect(unmet([read('hits.max > 5')], ANSWER)).toBe('expected hits.max > 5, and hits.max does not exist');
  expect(unmet([read('values < 5')], ANSWER)).toContain('values is [[1,"a"]]');
  expect(unmet([read('took < 5')], null)).toContain('took does not exist');
});

test.each(['', 'a', 'a >', '> 1', 'a > "b"', 'a == b', 'a..b == 1', 'a == [1]', 'a = 1'])(
  '%s is not a condition',
  (text) => {
    expect(readExpectation(text)).toBeUndefined();
  },
);
