import { errorType, reasonOf } from './answer';

test('reasons are listed from the outermost to the innermost', () => {
  const error = {
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    suppressed: [{ reason: 'one more' }],
    caused_by: { type: 'illegal_argument_exception', reason: 'no such field' },
  };
  expect(reasonOf({ error, status: 400 })).toBe('all shards failed: one more: no such field');
  expect(errorType({ error })).toBe('search_phase_execution_exception');
  expect(reasonOf({ error: 'no handler found', status: 405 })).toBe('no handler found');
});

test.each([
  ['a page', '<html>internal: token=abc</html>'],
  ['a text', 'AccessKeyId AKIA123'],
  ['JSON in another form', { error: 'token=abc' }],
  ['other JSON', { AccessKeyId: 'AKIA123', message: 'secret' }],
])('%s of another server is never shown', (_, body) => expect(reasonOf(body)).toBe(''));

test.each([
  [{ error: { type: 1, reason: { a: 'b' } }, status: 400 }],
  [{ error: { reason: 5, suppressed: 'x', caused_by: 'y' } }],
  [{ error: { suppressed: [null, 1] } }],
  [{ error: null }],
  [null],
])('an error in another format has no reason: %j', (body) => {
  expect(reasonOf(body)).toBe('');
  expect(errorType(body)).toBe('');
});

test('a reason of any length is truncated', () => {
  expect(reasonOf({ error: { reason: 'x'.repeat(100_000) }, status: 400 })).toHaveLength(2000);
});
