import { withoutCredentials } from './credentials';

test.each([
  ['', ''],
  ['pretty', 'pretty'],
  ['q=a&size=0', 'q=a&size=0'],
  ['q=token%3Dabc&_source=title', 'q=token%3Dabc&_source=title'],
  ['scroll_id=abc&&filter_path=hits', 'scroll_id=abc&&filter_path=hits'],
  ['token=x', ''],
  ['q=a&token=x&size=0', 'q=a&size=0'],
  ['access_token=x&q=a', 'q=a'],
  ['q=a;apiKey=x;size=0', 'q=a;size=0'],
  ['API-KEY=x&q=a', 'q=a'],
  ['q=a&password=x=y&pw', 'q=a&pw'],
  ['X-Amz-Signature=x&X-Amz-Credential=x&subscription-key=x&key=x&jwt=x&q=a', 'q=a'],
  ['tok%65n=x&q=a', 'q=a'],
  ['%zz=x&tok%FFen=x&q=a', 'q=a'],
  ['%20token=x&a[token]=x&=x&q=a', 'q=a'],
])('of the query %j, %j is kept', (query, kept) => {
  expect(withoutCredentials(query)).toBe(kept);
});
