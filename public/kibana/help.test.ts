import { existsSync } from 'node:fs';
import path from 'node:path';
import { helpExtension } from './help';

test('the help menu links to existing pages of the documentation', () => {
  const application = { getUrlForApp: (id: string, { path: to = '' } = {}) => `/base/app/${id}${to}` };
  const { appName, links } = helpExtension({ application: application as never }, 'dyno');
  expect(appName).toBe('Dyno');
  expect(links[0]).toEqual({ linkType: 'documentation', href: '/base/app/dyno/docs/README' });
  const files = links.map(({ href }) => path.resolve(__dirname, '../../docs', `${path.basename(href)}.md`));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(files).size).toBe(links.length);
});
