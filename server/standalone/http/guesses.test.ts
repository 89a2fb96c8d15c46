import { Guesses } from './guesses';

const attempt = (guesses: Guesses, address: string, isRight = false): boolean => {
  try {
    guesses.admit(address);
  } catch (error) {
    expect(error).toMatchObject({ code: 'request.too-many-guesses' });
    return false;
  }
  if (isRight) guesses.right(address);
  else guesses.wrong(address);
  return true;
};

function made() {
  const clock = { now: 1_000_000 };
  const log: string[] = [];
  return {
    clock,
    log,
    guesses: new Guesses(
      (text) => log.push(text),
      () => clock.now,
    ),
  };
}

test('checks only a few of thousands of guesses in three seconds, and logs it', () => {
  const { clock, log, guesses } = made();
  let lookedAt = 0;
  for (let number = 0; number < 3000; number += 1) {
    clock.now += 1;
    if (attempt(guesses, '10.0.0.9')) lookedAt += 1;
  }
  expect(lookedAt).toBe(6);
  expect(log).toEqual([
    '5 wrong passwords in a row from 10.0.0.9: the next attempt is possible in 1 s',
    '6 wrong passwords in a row from 10.0.0.9: the next attempt is possible in 2 s',
  ]);
});

test('pauses double up to five minutes, end with the right password, and affect only one source', () => {
  const { clock, log, guesses } = made();
  for (let number = 0; number < 40; number += 1) {
    attempt(guesses, '2001:db8::1');
    clock.now += 300_000;
  }
  expect(log.at(-1)).toContain('40 wrong passwords in a row from 2001:db8:0:0::/64');
  expect(log.at(-1)).toContain('in 300 s');
  attempt(guesses, '2001:db8::2');
  expect(attempt(guesses, '2001:db8::3')).toBe(false);
  expect(attempt(guesses, '2001:db8:0:1::1')).toBe(true);
  clock.now += 300_000;
  expect(attempt(guesses, '2001:db8::1', true)).toBe(true);
  for (let number = 0; number < 4; number += 1) expect(attempt(guesses, '2001:db8::1')).toBe(true);
});

test('limits the number of remembered sources', () => {
  const { guesses } = made();
  for (let number = 0; number < 30_000; number += 1) attempt(guesses, `10.${number >> 8}.${number & 255}.1`);
  expect((guesses as unknown as { sources: Map<string, unknown> }).sources.size).toBe(10_000);
});
