import { elasticsearchRequest, kibanaRequest, lacksPrivileges, NEEDS, USES } from './privileges';

test.each(USES)('the requests for a role to %s can be sent unchanged', (use) => {
  const [line, ...body] = elasticsearchRequest(use).split('\n');
  expect(line).toBe(`PUT _security/role/${NEEDS[use].role}`);
  expect(JSON.parse(body.join('\n'))).toEqual(NEEDS[use].elasticsearch);
  const shell = kibanaRequest(use, 'https://kibana.example:5601/base');
  expect(shell).toContain(`'https://kibana.example:5601/base/api/security/role/${NEEDS[use].role}'`);
  expect(JSON.parse(/-d '([^']*)'$/.exec(shell)![1]!)).toMatchObject({
    elasticsearch: NEEDS[use].elasticsearch,
    kibana: [{ feature: { dyno: [NEEDS[use].feature] } }],
  });
});

test('users who look need no privilege that users who run lack', () => {
  const [more, less] = [NEEDS.run.elasticsearch, NEEDS.look.elasticsearch];
  expect(more.cluster).toEqual(expect.arrayContaining([...less.cluster]));
  expect(more.indices[0]!.privileges).toEqual(expect.arrayContaining([...less.indices[0]!.privileges]));
});

test('only problems of privileges can be fixed by a role', () => {
  expect(lacksPrivileges([{ code: 'results.away' }, { code: 'results.forbidden' }])).toBe(true);
  expect(lacksPrivileges([{ code: 'results.away' }])).toBe(false);
});
