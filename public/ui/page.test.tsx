import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { show } from '../testing/fake-host';
import { Part, WithContents } from './page';

test('a page with contents lists its parts in their order, and links to each', async () => {
  const scrolled: string[] = [];
  jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.getAttribute('aria-label')!);
  });
  show(
    <WithContents>
      <div>
        <Part title="Cells">c</Part>
      </div>
      <Part title="Trials">t</Part>
    </WithContents>,
  );
  const contents = within(await screen.findByRole('navigation', { name: 'Contents of this page' }));
  expect(contents.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Cells', 'Trials']);
  await userEvent.click(contents.getByRole('button', { name: 'Trials' }));
  expect(scrolled).toEqual(['Trials']);
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Trials' }));
});

test('outside such a page, a part is not listed', () => {
  show(<Part title="Cells">c</Part>);
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(screen.getByRole('region', { name: 'Cells' }).hasAttribute('tabindex')).toBe(false);
});
