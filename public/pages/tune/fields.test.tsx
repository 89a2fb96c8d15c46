import { screen } from '@testing-library/react';
import { show } from '../../testing/fake-host';
import { SubjectFields } from './fields';
import { emptyForm } from './form-state';

test('an error of the target is shown at the field of the index', async () => {
  const message = 'could not list the indices: it answered 500';
  const refused = {
    statusCode: 502,
    error: 'Bad Gateway',
    message,
    attributes: { problems: [{ code: 'target.refused', path: '', message }] },
  };
  show(<SubjectFields form={emptyForm()} onChange={() => undefined} problems={[]} />, {
    answers: {
      'GET /api/dyno/targets': () => Response.json({ targets: [], secretsRefused: null }),
      'GET /api/dyno/targets/local/indices': () => Response.json(refused, { status: 502 }),
    },
  });
  expect(await screen.findByText(message)).toBeTruthy();
});
