import { describeProblem, inputError, showValue } from './problem';

test('a problem shows text of a file or cluster without control characters', () => {
  const answered = 'no such field [\u001b]0;owned\u0007\u001b[2J]';
  const error = inputError('target.refused', 'docs\u202e.ndjson', answered, {
    found: '\u009b31m',
    allowed: 'a\rb',
  });
  const shown = [error.message, ...error.problems.map(describeProblem), JSON.stringify(error.problems)].join(
    '',
  );
  // oxlint-disable-next-line no-control-regex
  expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(error.message).toContain('no such field [\\u001b]0;owned');
});

test.each<[unknown, string]>([
  [{ 'X-Api-Key': 'planted' }, '{"X-Api-Key":"[removed]"}'],
  [{ body: { password: 'planted', size: 1 } }, '{"body":{"password":"[removed]","size":1}}'],
  [{ passwrd: ['planted'], auth: { user: 'planted' } }, '{"passwrd":"[removed]","auth":"[removed]"}'],
  [['X-Api-Key: planted', 'accept: text/plain'], '["X-Api-Key: [removed]","accept: text/plain"]'],
  ['X-Other-Key planted', '"X-Other-Key [removed]"'],
  [{ 'x-any': 'ApiKey planted' }, '{"x-any":"ApiKey [removed]"}'],
  ['Basic abc', '"Basic [removed]"'],
  [{ password: null, token: true }, '{"password":null,"token":true}'],
  [{ index: 'logs', field: 'author' }, '{"index":"logs","field":"author"}'],
])('a problem shows %j without the credentials in it', (value, shown) => {
  expect(showValue(value)).toBe(shown);
});

test('a secret that is longer than the shown text is removed completely', () => {
  expect(showValue(`password=${'planted'.repeat(1000)}`)).toBe('"password=[removed]"');
});
