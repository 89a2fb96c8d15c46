import { splitAtIds } from './ids';

const ID = 'YwJ3dpkBQ_m-x1Zq8w2L';
const SCROLL = 'FGluY2x1ZGVfY29udGV4dF91dWlkDXF1ZXJ5QW5kRmV0Y2g=';
const find = (id: string): { id: string } | undefined => ([ID, SCROLL].includes(id) ? { id } : undefined);

test('finds known ids in paths, query strings and bodies, also with escaped padding', () => {
  expect(splitAtIds(`/shop/_doc/${ID}`, find)).toEqual(['/shop/_doc/', { id: ID }]);
  expect(splitAtIds(`{"a":["${ID}"],"b":"${SCROLL}"}`, find)).toEqual([
    '{"a":["',
    { id: ID },
    '"],"b":"',
    { id: SCROLL },
    '"}',
  ]);
  expect(splitAtIds(`scroll_id=${SCROLL.replace('=', '%3D')}`, find)).toEqual(['scroll_id=', { id: SCROLL }]);
  expect(splitAtIds(SCROLL.replace('=', String.raw`\u003d`), find)).toEqual([{ id: SCROLL }]);
});

test('finds an id after an escaped character', () => {
  expect(splitAtIds(`q=_id%3A${ID}`, find)).toEqual(['q=_id%3A', { id: ID }]);
  expect(splitAtIds(String.raw`"a\n${ID}\u003a${ID}"`, find)).toEqual([
    String.raw`"a\n`,
    { id: ID },
    String.raw`\u003a`,
    { id: ID },
    '"',
  ]);
});

test('leaves longer texts, unknown ids and empty texts as they are', () => {
  for (const text of [`x${ID}`, `${ID}-1`, 'YwJ3dpkBQ_m-x1Zq8w2M', '', 'a'])
    expect(splitAtIds(text, find)).toEqual([text]);
});
