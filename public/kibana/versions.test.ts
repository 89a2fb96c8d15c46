import type { CoreStart, KibanaTheme, MountParameters, Observable } from './sdk';
import { themeOf, unreadAnswer } from './versions';

const theme: Observable<KibanaTheme> = { subscribe: () => ({ unsubscribe: () => undefined }) };

test('the theme comes from core, otherwise from the mount, otherwise it is undefined', () => {
  const [core, params] = [{} as CoreStart, {} as MountParameters];
  expect(themeOf({ ...core, theme: { theme$: theme } }, params)).toBe(theme);
  expect(themeOf(core, { ...params, theme$: theme })).toBe(theme);
  expect(themeOf(core, params)).toBeUndefined();
});

test('an answer that Kibana has already read can be read again', async () => {
  const json = new Response('{"a":1}', {
    status: 409,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
  const body: unknown = await json.json();
  const again = unreadAnswer({ response: json, body })!;
  expect(again.status).toBe(409);
  expect(await again.json()).toEqual({ a: 1 });

  const csv = new Response('a,b', { headers: { 'content-type': 'text/csv' } });
  expect(await unreadAnswer({ response: csv, body: await csv.text() })!.text()).toBe('a,b');

  const unread = new Response('x');
  expect(unreadAnswer({ response: unread, body: null })).toBe(unread);
  expect(unreadAnswer({})).toBeUndefined();
});
