import { screen } from '@testing-library/react';
import { EXAMPLE } from '../../common/example';
import { show } from '../testing/fake-host';
import { ExamplePanel } from './example';

test('the example shows its result, where it was measured and that it is kept, and links to its result', () => {
  show(<ExamplePanel />);
  expect(screen.getByText((text) => text.includes(EXAMPLE.run.sentence))).not.toBeNull();
  expect(screen.getByText((text) => text.includes(EXAMPLE.machine))).not.toBeNull();
  expect(screen.getByRole('link', { name: 'Open its result' }).getAttribute('href')).toBe(
    `/runs/${EXAMPLE.run.id}/result`,
  );
});
