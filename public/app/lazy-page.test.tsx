import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { lazyPage } from './lazy-page';

test('a page that was requested before it is rendered is loaded once', async () => {
  let loads = 0;
  const Page = lazyPage(() => {
    loads += 1;
    return Promise.resolve({ default: () => <p>Here it is</p> });
  });
  Page.ask();
  Page.ask();
  expect(loads).toBe(1);
  render(
    <Suspense fallback="It comes">
      <Page />
    </Suspense>,
  );
  await screen.findByText('Here it is');
  expect(loads).toBe(1);
});
