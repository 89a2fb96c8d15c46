import { writeAddress, writeDecimal, writeWhole } from './number-text';

const written = (write: (out: Uint8Array) => number): string => {
  const out = new Uint8Array(32);
  return String.fromCharCode(...out.subarray(0, write(out)));
};

test.each([0, 7, 10, 99, 100, 65_535, 2 ** 31])('writes %d unchanged', (value) => {
  expect(written((out) => writeWhole(out, 0, value))).toBe(String(value));
});

test.each([
  [0, '0.0000'],
  [-5, '-0.0005'],
  [900_000, '90.0000'],
  [-1_234_567, '-123.4567'],
])('writes %d ten-thousandths as %s', (value, text) => {
  expect(written((out) => writeDecimal(out, 0, value))).toBe(text);
});

test('writes addresses', () => {
  expect(written((out) => writeAddress(out, 0, 0xff0900c8))).toBe('255.9.0.200');
  expect(written((out) => writeAddress(out, 0, 0))).toBe('0.0.0.0');
});
