import { refusal } from './answer';

test('a block on an index does not count as a missing privilege', () => {
  const blocked = {
    error: { type: 'cluster_block_exception', reason: 'index [a] blocked by: [read-only]' },
    status: 403,
  };
  const { code, message } = refusal(403, blocked, 'create the index a');
  expect(code).toBe('target.blocked');
  expect(message).toContain('could not create the index a: an index or the cluster is blocked');
  expect(message).not.toContain('privilege');
  const forbidden = { error: { type: 'security_exception', reason: 'unauthorized' }, status: 403 };
  expect(refusal(403, forbidden, 'create the index a').message).toContain('lack a privilege');
});
