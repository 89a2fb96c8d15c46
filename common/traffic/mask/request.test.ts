import type { TrafficRecord } from '../record';
import { maskAll, one, search, store, two, type Masked } from './testing/mask-all';

test('texts of documents are masked word by word, and a search for one of the words finds its mask', () => {
  const [{ body: document }, { body: found }] = two(
    store({ title: 'Red Shoes, size 42' }),
    search({ match: { title: 'shoes' } }),
  );
  expect(document.title).toMatch(/^[A-Z][a-z]{2} [A-Z][a-z]{4}, [a-z]{4} \d{2}$/);
  expect(document.title).not.toMatch(/red|shoes|size/i);
  expect(found.query.match.title).toBe(document.title.split(/[ ,]/)[1].toLowerCase());
});

test('letters of other scripts become letters of the same script and size', () => {
  const words = ['Straße', 'Привет', '東京タワー', 'café', 'γάτα', 'שלום', 'สวัสดี', '서울'];
  const { body } = one(store(Object.fromEntries(words.map((word, at) => [`w${at}`, word]))));
  words.forEach((word, at) => {
    const masked = body[`w${at}`] as string;
    expect(masked).not.toBe(word);
    expect(Buffer.byteLength(masked)).toBe(Buffer.byteLength(word));
  });
  expect(body.w1).toMatch(/^\p{Lu}\p{Script=Cyrillic}{5}$/u);
  expect(body.w2).toMatch(/^\p{Script=Han}{2}\p{Script=Katakana}{2}/u);
});

test('a prefix, a wildcard and a phrase prefix find the words with that beginning', () => {
  const { masked } = maskAll([
    store({ title: 'Shoelaces for shoes', sku: 'RS-1234' }),
    search({ prefix: { title: { value: 'shoe' } } }),
    search({ wildcard: { sku: 'rs-12*' } }),
    search({ match_phrase_prefix: { title: 'for sho' } }),
    search({ query_string: { query: 'title:sho*', default_field: 'title' } }),
  ]) as { masked: Masked[] };
  const [document, prefix, wildcard, phrase, syntax] = masked.map(({ body }) => body);
  const [laces, middle, shoes] = document.title.split(' ');
  expect(laces.toLowerCase().startsWith(prefix.query.prefix.title.value)).toBe(true);
  expect(shoes.startsWith(prefix.query.prefix.title.value)).toBe(true);
  const pattern = wildcard.query.wildcard.sku as string;
  expect(document.sku.toLowerCase().startsWith(pattern.slice(0, -1))).toBe(true);
  expect(pattern).toHaveLength(6);
  expect(`${middle} ${shoes}`.startsWith(phrase.query.match_phrase_prefix.title)).toBe(true);
  expect(syntax.query.query_string.query).toBe(`title:${shoes.slice(0, 3)}*`);
});

test('a prefix finds no other words, and different words stay different', () => {
  const words = Array.from({ length: 3000 }, (_, at) => String(1000 + at));
  const prefixes = ['1', '12', '123', '2', '35', '3', '99'];
  const { masked } = maskAll([
    store({ words: words.map((word) => `x${word} ${word}`) }),
    ...prefixes.map((prefix) => search({ prefix: { words: prefix } })),
  ]) as { masked: Masked[] };
  const stored = (masked[0]!.body.words as string[]).map((text) => text.split(' ')[1]!);
  expect(new Set(stored).size).toBe(words.length);
  prefixes.forEach((prefix, at) => {
    const wanted = masked[at + 1]!.body.query.prefix.words as string;
    const before = words.flatMap((word, number) => (word.startsWith(prefix) ? [number] : []));
    const after = stored.flatMap((word, number) => (word.startsWith(wanted) ? [number] : []));
    expect(after).toEqual(before);
  });
});

test('numbers keep their order, their decimals and zero, and ranges use the same amounts as documents', () => {
  const prices = ['-5', '0', '0.05', '0.5', '1', '9.99', '10', '11.50', '99', '100', '12345', '1e3'];
  const { masked } = maskAll([
    ...prices.map((price) => ({ path: '/shop/_doc', body: `{"price":${price}}` })),
    search({ range: { price: { gte: 10, lt: 100 } } }),
  ]) as { masked: Masked[] };
  const texts = masked.slice(0, -1).map(({ text }) => /:(.*)}/.exec(text)![1]!);
  const order = (tokens: readonly string[]): number[] =>
    tokens.map((_, at) => at).sort((a, b) => Number(tokens[a]) - Number(tokens[b]));
  expect(order(texts)).toEqual(order(prices));
  const decimals = (tokens: readonly string[]): (number | undefined)[] =>
    tokens.filter((token) => token !== '1e3').map((token) => token.split('.')[1]?.length);
  expect(prices.filter((price, at) => texts[at] === price)).toEqual(['0']);
  expect(decimals(texts.toSpliced(prices.indexOf('1e3'), 1))).toEqual(decimals(prices));
  const { range } = masked.at(-1)!.body.query;
  expect([String(range.price.gte), String(range.price.lt)]).toEqual([texts[6], texts[9]]);
});

/** Masks numbers of one field. Returns them as JSON. */
const maskedTokens = (tokens: readonly string[]): string[] =>
  (maskAll(tokens.map((token) => ({ path: '/shop/_doc', body: `{"n":${token}}` }))).masked as Masked[]).map(
    ({ text }) => /:(.*)}/.exec(text)![1]!,
  );

test('small integers keep their order and fit small types', () => {
  const before = [-99, -10, -1, 0, 1, 2, 9, 10, 50, 99, 100, 999, 1000, 9999, 10_000, 20_000];
  const after = maskedTokens(before.map(String)).map(Number);
  expect(after.toSorted((a, b) => a - b)).toEqual(after);
  expect(after.filter((one, at) => one === before[at])).toEqual([0]);
  expect(after[9]).toBeLessThanOrEqual(127);
  expect(after.at(-1)).toBeLessThanOrEqual(32_767);
});

test('no masked decimal or large integer equals a number of its field, and all are exact', () => {
  const decimals = Array.from({ length: 400 }, (_, at) => (at / 4 + 0.25).toFixed(2));
  const large = Array.from({ length: 400 }, (_, at) => String(100_000 + 7 * at));
  const long = Array.from({ length: 400 }, (_, at) => String(9_007_199_254_740_993n + BigInt(at)));
  for (const tokens of [decimals, large, long]) {
    const masked = maskedTokens(tokens);
    const known = new Set(tokens);
    expect(masked.filter((token) => known.has(token))).toEqual([]);
    expect(new Set(masked).size).toBe(tokens.length);
  }
  const [first, second] = maskedTokens(['9007199254740993', '9007199254740994']);
  expect(BigInt(second!) - BigInt(first!)).toBe(1n);
});

test('the largest numbers of a type stay within it', () => {
  const [large, limit] = maskedTokens(['2147483000', '2147483647']);
  expect(Number(large)).toBeGreaterThan(2_147_483_000);
  expect(Number(large)).toBeLessThanOrEqual(2_147_483_647);
  expect(limit).toBe('2147483647');
  const long = maskedTokens(['9223372036854775000', '-9223372036854775000']);
  expect(BigInt(long[0]!)).toBeLessThan(2n ** 63n);
  expect(BigInt(long[0]!)).toBe(-BigInt(long[1]!));
});

test('dates are shifted by the same whole number of weeks in every notation', () => {
  const day = '2026-03-05';
  const ms = Date.UTC(2026, 2, 5);
  const [{ body: document }, { body: found }] = two(
    store({
      a: day,
      b: `${day}T10:11:12.123+01:00`,
      c: ms,
      d: ms / 1000,
      e: '2026/03/05 10:11:12',
      f: `at ${day} 10:11`,
    }),
    search({ bool: { filter: [{ range: { a: { gte: `${day}||-1M/d`, lt: 'now-1d/d' } } }] } }),
  );
  const weeks = (document.c - ms) / (7 * 86_400_000);
  expect(Number.isInteger(weeks) && weeks > 0).toBe(true);
  const shifted = new Date(document.c).toISOString().slice(0, 10);
  expect(document).toMatchObject({
    ...{ a: shifted, b: `${shifted}T10:11:12.123+01:00`, d: document.c / 1000 },
    e: `${shifted.replaceAll('-', '/')} 10:11:12`,
  });
  expect(document.f).toMatch(new RegExp(`^\\w\\w ${shifted} 10:11$`));
  expect(found.query.bool.filter[0].range.a).toEqual({ gte: `${shifted}||-1M/d`, lt: 'now-1d/d' });
});

test('addresses, UUIDs and hexadecimal ids keep their format, and addresses their subnets', () => {
  const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const [{ body: document }, { body: found }] = two(
    store({
      ips: ['10.1.2.3', '10.1.2.77'],
      v6: '2001:db8::1',
      uuid,
      hash: 'd41d8cd98f00b204e9800998ecf8427e',
    }),
    search({
      bool: { filter: [{ term: { ips: '10.1.2.0/24' } }, { match: { text: `from 10.1.2.3 ${uuid}` } }] },
    }),
  );
  const [first, second] = document.ips as [string, string];
  const subnet = first.split('.').slice(0, 3).join('.');
  expect(second.startsWith(`${subnet}.`)).toBe(true);
  expect(found.query.bool.filter[0].term.ips).toBe(`${subnet}.0/24`);
  expect(subnet).not.toBe('10.1.2');
  expect(document.v6).toMatch(/^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}$/);
  expect(document.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(document.uuid).not.toBe(uuid);
  expect(document.hash).toMatch(/^[0-9a-f]{32}$/);
  expect(found.query.bool.filter[1].match.text).toMatch(
    new RegExp(`^\\w{4} ${first} ${document.uuid as string}$`),
  );
});

test('points keep their notation and their distances, and rectangles their points', () => {
  const [{ body: document }, { body: found }] = two(
    store({
      a: { lat: 52.52, lon: 13.405 },
      b: '52.52,13.405',
      c: [13.405, 52.52],
      d: { type: 'Point', coordinates: [13.405, 52.52] },
      e: 'POINT (13.405 52.52)',
    }),
    search({
      bool: {
        filter: [
          { geo_distance: { distance: '5km', c: [13.405, 52.52] } },
          { geo_bounding_box: { a: { top_left: { lat: 53, lon: 13 }, bottom_right: '52,14' } } },
        ],
      },
    }),
  );
  const { lat, lon } = document.a;
  expect(Math.abs(lat - 52.52)).toBeGreaterThan(0.09);
  expect(document).toMatchObject({
    b: `${lat},${lon}`,
    c: [lon, lat],
    d: { coordinates: [lon, lat] },
    e: `POINT (${lon} ${lat})`,
  });
  expect(found.query.bool.filter[0].geo_distance).toEqual({ distance: '5km', c: [lon, lat] });
  const box = found.query.bool.filter[1].geo_bounding_box.a;
  expect(box.top_left.lat - lat).toBeCloseTo(0.48, 6);
});

test('vectors keep their distances', () => {
  const vector = (seed: number): number[] =>
    Array.from({ length: 24 }, (_, at) => Math.round(Math.sin(seed * (at + 1)) * 1e6) / 1e6);
  const distance = (a: readonly number[], b: readonly number[]): number =>
    Math.hypot(...a.map((one, at) => one - b[at]!));
  const { masked } = maskAll([
    store({ v: vector(1) }),
    store({ v: vector(2) }),
    {
      path: '/shop/_search',
      body: { knn: { field: 'v', query_vector: vector(3), k: 5, num_candidates: 50 } },
    },
  ]) as { masked: Masked[] };
  const [a, b] = [masked[0]!.body.v, masked[1]!.body.v] as [number[], number[]];
  const queried = masked[2]!.body.knn.query_vector as number[];
  expect(distance(a, b)).toBeCloseTo(distance(vector(1), vector(2)), 4);
  expect(distance(a, queried)).toBeCloseTo(distance(vector(1), vector(3)), 4);
  expect(a.filter((value) => vector(1).includes(value))).toEqual([]);
  expect(masked[2]!.body.knn).toMatchObject({ field: 'v', k: 5, num_candidates: 50 });
});

test('ids stay the same in writes, gets, queries and facts of answers', () => {
  const { masked } = maskAll([
    {
      path: '/_bulk',
      lines: [
        { index: { _index: 'shop', _id: 'customer-Anna' } },
        { name: 'x' },
        { update: { _index: 'shop', _id: '17' } },
        { doc: { name: 'y' } },
        { delete: { _index: 'shop', _id: 'gone/1' } },
      ],
    },
    { method: 'GET', path: '/shop/_doc/customer-Anna' },
    {
      path: '/_mget',
      body: {
        docs: [
          { _index: 'shop', _id: 'customer-Anna' },
          { _index: 'shop', _id: 17 },
        ],
      },
    },
    search({ ids: { values: ['customer-Anna', 17] } }),
    {
      path: '/shop/_doc',
      body: {},
      answer: {
        status: 201,
        durationUs: 5,
        bytes: 9,
        facts: {
          result: 'created',
          generatedIds: ['customer-Anna'],
          versions: [{ index: 'shop', id: '17', seqNo: 4, primaryTerm: 1 }],
        },
      },
    },
    { method: 'GET', path: '/shop/_doc/gone%2F1' },
  ]) as { masked: Masked[] };
  const [bulk, get, mget, ids, generated, encoded] = masked as [
    Masked,
    Masked,
    Masked,
    Masked,
    Masked,
    Masked,
  ];
  const id = bulk.body[0].index._id as string;
  const number = bulk.body[2].update._id as string;
  expect(id).toMatch(/^[a-z]{8}-[A-Z][a-z]{3}$/);
  expect(get.path).toBe(`/shop/_doc/${id}`);
  expect(mget.body.docs.map((one: { _id: string }) => one._id)).toEqual([id, number]);
  expect(ids.body.query.ids.values).toEqual([id, number]);
  expect(generated.answer!.facts).toEqual({
    result: 'created',
    generatedIds: [id],
    versions: [{ index: 'shop', id: number, seqNo: 4, primaryTerm: 1 }],
  });
  expect(encoded.path).toBe(`/shop/_doc/${encodeURIComponent(bulk.body[4].delete._id as string)}`);
});

test('ids of scrolls and points in time stay the same in answers and requests', () => {
  const facts = (found: object): TrafficRecord['answer'] => ({
    status: 200,
    durationUs: 1,
    bytes: 2,
    facts: found,
  });
  const { masked } = maskAll([
    { path: '/shop/_search', query: 'scroll=1m', body: {}, answer: facts({ scrollId: 'DXF1ZXJ5==' }) },
    { path: '/_search/scroll', body: { scroll: '1m', scroll_id: 'DXF1ZXJ5==' } },
    { method: 'DELETE', path: '/_search/scroll', body: { scroll_id: ['DXF1ZXJ5=='] } },
    { path: '/shop/_pit', query: 'keep_alive=1m', answer: facts({ pitId: 'pit-of-the-shop' }) },
    { path: '/_search', body: { pit: { id: 'pit-of-the-shop', keep_alive: '1m' } } },
  ]) as { masked: Masked[] };
  const scroll = masked[0]!.answer!.facts!.scrollId;
  expect(scroll).toHaveLength(10);
  expect(masked[1]!.body).toEqual({ scroll: '1m', scroll_id: scroll });
  expect(masked[2]!.body).toEqual({ scroll_id: [scroll] });
  expect(masked[4]!.body.pit).toEqual({ id: masked[3]!.answer!.facts!.pitId, keep_alive: '1m' });
});

test('an unknown query drops the request, and an unknown key is removed and counted', () => {
  const { masked, account } = maskAll([
    search({ acme_secret: { x: 'y' } }),
    {
      path: '/shop/_search',
      query: 'mystery=secret&size=3',
      body: { query: { term: { color: { value: 'red', shade: 'secret' } } }, novelty: 'secret' },
    },
    { method: 'PUT', path: '/_cluster/settings', body: { x: 'secret' } },
    { path: '/shop/_search', body: 'not json' },
  ]);
  expect(masked[0]).toBe('Dyno does not know the query acme_secret');
  expect((masked[1] as Masked).text).not.toContain('secret');
  expect((masked[1] as Masked).query).toBe('size=3');
  expect(masked[2]).toMatch(/administers/);
  expect(masked[3]).toBe('its body is not valid JSON');
  expect(account.removedParts.map(({ what }) => what).sort()).toEqual([
    'parameter mystery',
    'query.term.shade',
    'search.novelty',
  ]);
});

test('a malformed query never ends the masking', () => {
  const kinds = [
    'match',
    'multi_match',
    'query_string',
    'range',
    'knn',
    'terms',
    'bool',
    'geo_distance',
    'function_score',
  ];
  const junk = [null, 1, 'x', [], [null], { a: null }, true];
  const { masked } = maskAll([
    ...kinds.flatMap((kind) => junk.map((one) => search({ [kind]: one }))),
    ...junk.flatMap((one) => [
      {
        path: '/shop/_search',
        body: {
          aggs: one,
          sort: one,
          search_after: one,
          highlight: one,
          suggest: one,
          query: { match_all: {} },
        },
      },
      { path: '/_bulk', lines: [one, one] },
      { path: '/_mget', body: { docs: one, ids: one } },
      { path: '/_query', body: { query: one, params: one } },
    ]),
  ]);
  expect(masked).toHaveLength((kinds.length + 4) * junk.length);
});

test('kept fields stay in documents and queries, and dropped fields leave documents', () => {
  const [{ body: document }, { body: found }] = two(
    store({ status: 'paid', card: '4711', customer: { name: 'Anna', phone: '0171' } }),
    search({ terms: { 'status.keyword': ['paid'] } }),
    { keep: ['status'], drop: ['card', 'customer.phone'] },
  );
  expect(document).toEqual({ status: 'paid', customer: { name: expect.not.stringMatching('Anna') } });
  expect(found.query.terms['status.keyword']).toEqual(['paid']);
});

test('names of fields and indices are masked alike everywhere if wanted', () => {
  const { masked } = maskAll(
    [
      {
        path: '/shop-2026/_doc/1',
        method: 'PUT',
        body: { customer: { name: 'Anna' }, '@timestamp': '2026-01-01' },
      },
      {
        path: '/shop-*/_search',
        query: '_source_includes=customer.name',
        body: {
          query: { term: { 'customer.name.keyword': 'Anna' } },
          sort: [{ '@timestamp': 'desc' }],
          _source: ['customer.*'],
          fields: ['customer.na*'],
        },
      },
    ],
    { fields: 'map', indices: 'map' },
  ) as { masked: Masked[] };
  const [stored, found] = masked as [Masked, Masked];
  const index = stored.path.split('/')[1]!;
  expect(index).toMatch(/^[a-z]{4}-2026$/);
  expect(found.path).toBe(`/${index.slice(0, 4)}-*/_search`);
  const customer = Object.keys(stored.body)[0]!;
  const name = Object.keys(stored.body[customer])[0]!;
  expect(customer).not.toBe('customer');
  expect(found.body.query.term).toEqual({ [`${customer}.${name}.keyword`]: stored.body[customer][name] });
  expect(found.body.sort).toEqual([{ '@timestamp': 'desc' }]);
  expect(found.body._source).toEqual([`${customer}.*`]);
  expect(found.body.fields).toEqual([`${customer}.${name.slice(0, 2)}*`]);
  expect(found.query).toBe(`_source_includes=${customer}.${name}`);
});

test('texts in scripts are masked, but not the names of fields and parameters', () => {
  const [, { body }] = two(store({ color: 'blue', stock: 2 }), {
    path: '/shop/_update/1',
    body: {
      script: {
        source: "if (ctx._source['color'] == 'red') { ctx._source.stock -= params['n'] } // Anna",
        params: { n: 5, tag: 'red' },
      },
    },
  });
  expect(body.script.source).toMatch(
    /^if \(ctx\._source\['color'\] == '([a-z]{3})'\) \{ ctx\._source\.stock -= params\['n'\] \}\s*$/,
  );
  expect(body.script.source).toContain(`'${body.script.params.tag as string}'`);
  expect(body.script.source).not.toMatch(/red|Anna/);
});

test('texts in ES|QL, SQL and EQL are masked, and numbers like the field that they are compared with', () => {
  const { masked } = maskAll([
    store({ city: 'Berlin', price: 250 }),
    {
      path: '/_query',
      body: { query: 'FROM shop | WHERE city == "Berlin" AND price > 250 | LIMIT 10 // Anna' },
    },
    {
      path: '/_sql',
      body: {
        query:
          "SELECT * FROM shop WHERE city IN ('Berlin', 'Bern') AND city LIKE 'Ber%' AND 250 < price LIMIT 10",
      },
    },
    { path: '/shop/_eql/search', body: { query: 'any where city == "Berlin" and price >= 250' } },
  ]) as { masked: Masked[] };
  const { city, price } = masked[0]!.body;
  expect(masked[1]!.body.query.trim()).toBe(
    `FROM shop | WHERE city == "${city}" AND price > ${price} | LIMIT 10`,
  );
  const beginning = city.slice(0, 3);
  expect(masked[2]!.body.query).toMatch(
    new RegExp(
      `^SELECT \\* FROM shop WHERE city IN \\('${city}', '[A-Z][a-z]{3}'\\) AND city LIKE '${beginning}%' AND ${price} < price LIMIT 10$`,
    ),
  );
  expect(masked[3]!.body.query).toBe(`any where city == "${city}" and price >= ${price}`);
});

test('aggregations keep their structure, and their names and values are masked', () => {
  const { masked } = maskAll([
    store({ city: 'Berlin', price: 250 }),
    {
      path: '/shop/_search',
      body: {
        size: 0,
        aggs: {
          by_city: {
            terms: {
              field: 'city.keyword',
              size: 5,
              include: ['Berlin'],
              missing: 'Bern',
              order: { revenue: 'desc' },
            },
            aggs: {
              revenue: { sum: { field: 'price' } },
              share: { bucket_script: { buckets_path: { a: 'revenue' }, script: 'params.a / 10' } },
            },
          },
          pages: {
            composite: {
              sources: [
                { town: { terms: { field: 'city' } } },
                { cost: { histogram: { field: 'price', interval: 10 } } },
              ],
              after: { town: 'Berlin', cost: 250 },
            },
          },
          groups: { filters: { filters: { Berlin: { term: { city: 'Berlin' } } } } },
          bands: { range: { field: 'price', ranges: [{ to: 250, key: 'Anna' }] } },
        },
        sort: [{ price: 'asc' }, '_doc'],
        search_after: [250, 3],
      },
    },
  ]) as { masked: Masked[] };
  const { city, price } = masked[0]!.body;
  const { body, text } = masked[1]!;
  expect(text).not.toMatch(/Berlin|Bern|Anna|revenue|by_city/);
  const [byCity, pages, groups, bands] = Object.values(body.aggs) as any[]; // oxlint-disable-line typescript/no-explicit-any
  expect(byCity.terms).toMatchObject({ field: 'city.keyword', size: 5, include: [city] });
  const [revenue] = Object.keys(byCity.aggs);
  expect(byCity.terms.order).toEqual({ [revenue!]: 'desc' });
  expect(Object.values(byCity.aggs)[1]).toEqual({
    bucket_script: { buckets_path: { a: revenue }, script: 'params.a / 10' },
  });
  expect(Object.values(pages.composite.after)).toEqual([city, price]);
  expect(Object.values(groups.filters.filters)).toEqual([{ term: { city } }]);
  expect(bands.range.ranges[0].to).toBe(price);
  expect(body.search_after).toEqual([price, 3]);
});

test('numbers and texts of numbers are compared alike, whichever of both a query uses', () => {
  const { masked } = maskAll([
    store({ stock: 42, zip: '10115', house: '12' }),
    search({
      bool: { filter: [{ term: { stock: '42' } }, { term: { zip: '10115' } }, { term: { house: 12 } }] },
    }),
    search({ query_string: { query: 'stock:[40 TO 42] AND zip:10115 AND stock:>=42' } }),
  ]) as { masked: Masked[] };
  const { stock, zip, house } = masked[0]!.body;
  const [a, b, c] = masked[1]!.body.query.bool.filter;
  expect([a.term.stock, b.term.zip, String(c.term.house)]).toEqual([String(stock), zip, house]);
  expect(masked[2]!.body.query.query_string.query).toMatch(
    new RegExp(`^stock:\\[\\d+ TO ${stock}\\] AND zip:${zip} AND stock:>=${stock}$`),
  );
});

test('parameters of the URL are masked like bodies', () => {
  const { masked } = maskAll([
    store({ city: 'Berlin', price: 250 }),
    {
      method: 'GET',
      path: '/shop/_search',
      query:
        'q=city%3ABerlin+AND+price%3A%3E250&routing=Anna&preference=Anna&sort=price:desc&size=5&scroll=1m',
    },
    {
      path: '/_msearch',
      lines: [
        { index: 'shop', routing: 'Anna', preference: '_local' },
        { query: { match: { city: 'berlin' } } },
      ],
    },
  ]) as { masked: Masked[] };
  const { city, price } = masked[0]!.body;
  const parameters = new URLSearchParams(masked[1]!.query);
  expect(parameters.get('q')).toBe(`city:${city} AND price:>${price}`);
  const routing = parameters.get('routing');
  expect(parameters.get('preference')).toBe(routing);
  expect(masked[1]!.query).toMatch(/&sort=price:desc&size=5&scroll=1m$/);
  expect(masked[2]!.body[0]).toEqual({ index: 'shop', routing, preference: '_local' });
  expect(masked[2]!.body[1].query.match.city).toBe(city.toLowerCase());
});

test('names of relations stay in join fields, as the mapping has them', () => {
  const { masked } = maskAll([
    store({ link: 'question', title: 'question' }),
    store({ link: { name: 'answer', parent: 'question-17' }, owner: { name: 'Anna', parent: 'Bob' } }),
    search({ has_child: { type: 'answer', query: { term: { link: 'answer' } } } }),
  ]) as { masked: Masked[] };
  expect(masked[0]!.body).toEqual({ link: 'question', title: expect.not.stringMatching('question') });
  expect(masked[1]!.body.link).toEqual({ name: 'answer', parent: expect.not.stringMatching(/question|17/) });
  expect(masked[1]!.body.owner).not.toEqual({ name: 'Anna', parent: 'Bob' });
  expect(masked[2]!.body.query.has_child).toEqual({ type: 'answer', query: { term: { link: 'answer' } } });
});

test('the sort values of dates are shifted like the dates', () => {
  const ms = Date.UTC(2026, 2, 5);
  const [{ body: document }, { body: found }] = two(store({ day: '2026-03-05' }), {
    path: '/shop/_search',
    body: { sort: [{ day: 'asc' }, '_shard_doc'], search_after: [ms, 5] },
  });
  expect(found.search_after).toEqual([Date.parse(document.day as string), 5]);
});

test('parameters of ES|QL are masked like the field that they are compared with', () => {
  const [{ body: document }, { body: found }] = two(store({ city: 'Berlin', price: 250 }), {
    path: '/_query',
    body: {
      query: 'FROM shop | WHERE city == ? AND price > ? | STATS BUCKET(price, ?)',
      params: ['Berlin', 250, 20],
    },
  });
  expect(found.params).toEqual([document.city, document.price, 20]);
});

test('a template keeps the numbers that select a page', () => {
  const { params } = one({
    path: '/_search/template',
    body: { id: 'find', params: { size: 10, from: 20, price: 250, city: 'Berlin' } },
  }).body;
  expect(params).toMatchObject({ size: 10, from: 20 });
  expect(params.price).not.toBe(250);
  expect(params.city).not.toBe('Berlin');
});

test('a body with spaces keeps its size', () => {
  const sent = '{\n  "query": {\n    "match_all": {}\n  }\n}';
  expect(one({ path: '/shop/_search', body: sent }).text).toHaveLength(sent.length);
});
