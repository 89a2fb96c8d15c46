import type { UnreadSearches } from './recognise';
import { asDocuments, asSearches, asTraffic, foreignRefusal, STRIP_ACTIONS } from './refusals';

const plain = { file: '/data/shop.ndjson', packing: null };
const packed = { file: "/data/my 'shop'", packing: 'gzip' } as const;

test('a file without plain documents is refused with the command that extracts them', () => {
  expect(asDocuments({ kind: 'bulk' }, plain)?.message).toMatch(
    /^is a bulk file: .*; strip them with: awk '.*' \/data\/shop\.ndjson > shop\.documents\.ndjson/,
  );
  expect(asDocuments({ kind: 'hits' }, packed)?.message).toContain(
    String.raw`gzip -dc < '/data/my '\''shop'\''' | jq -c '._source' > 'my '\''shop'\''.documents.ndjson'`,
  );
  expect(asDocuments({ kind: 'answer', hasHits: true }, plain)?.message).toContain(
    "jq -c '.hits.hits[]._source'",
  );
  expect(asDocuments({ kind: 'json-array' }, plain)?.message).toContain("jq -c '.[]'");
  expect(asDocuments({ kind: 'pretty-json' }, plain)?.message).toContain('jq -c .');
  expect(asDocuments({ kind: 'access-log' }, plain)?.allowed).toContain('format: lines');
});

test('documents, JSON logs and files with more helpful errors of single lines are not refused', () => {
  for (const kind of ['documents', 'elasticsearch-log', 'unsure', 'text', 'empty'] as const)
    expect(asDocuments({ kind }, plain)).toBeNull();
  expect(asDocuments({ kind: 'search-log', format: 'slow-log' }, plain)).toBeNull();
  expect(asDocuments({ kind: 'search-log', format: 'slow-log-text' }, plain)).not.toBeNull();
});

test('recorded requests that are used for something else are refused with what they are and what to do', () => {
  const har = { kind: 'traffic', traffic: 'har' } as const;
  expect(asDocuments(har, plain)?.message).toBe(
    'is an HTTP archive (HAR) with requests, not documents; show it with: dyno inspect /data/shop.ndjson, and send its requests with a task replay',
  );
  expect(asDocuments({ kind: 'traffic', traffic: 'audit-log' }, plain)).toBeNull();
  expect(asSearches({ kind: 'traffic', traffic: 'gor' }, plain).message).toContain(
    'is a file of GoReplay with requests, not a log of searches',
  );
  expect(asTraffic({ kind: 'documents' })).toMatchObject({
    message: 'contains documents, not recorded requests',
  });
});

test('files without the bodies of requests are refused with what to do instead', () => {
  expect(asSearches({ kind: 'access-log' }, plain).message).toContain(
    'contains no bodies of requests; record',
  );
  expect(asSearches({ kind: 'commands' }, plain).message).toContain('run them against dyno record');
  expect(asTraffic({ kind: 'commands' }).message).toBe('contains curl commands, not recorded requests');
});

test('a file that could be of several kinds is refused with these kinds and the setting that decides', () => {
  expect(asSearches({ kind: 'unsure', could: ['documents', 'search-log'] }, plain)).toEqual({
    message: 'may be of several kinds (documents, searches): set the format of the log',
    allowed: 'query-log, slow-log, slow-log-text, ndjson',
  });
});

test('searches that cannot be read are refused with the reason and the command that makes them readable', () => {
  const message = (searches: UnreadSearches): string =>
    asSearches({ kind: 'documents', searches }, plain).message;
  expect(message({ as: 'language' })).toContain('queries of ES|QL or SQL, which a replay does not send');
  expect(message({ as: 'text' })).toContain("jq -c '.body |= fromjson' /data/shop.ndjson");
  expect(message({ as: 'wrapped', keys: ['index', 'path'] })).toContain(
    `(index, path); remove them with: jq -c 'del(.["index"], .["path"])'`,
  );
});

test('hits without _source have no documents, and an archive has a command to unpack it', () => {
  expect(asDocuments({ kind: 'hits', lacksSource: true }, plain)?.message).toContain('has no documents');
  expect(foreignRefusal('tar', packed).message).toContain('tar -xzOf');
});

test('templates are not searches, and their refusal explains what to do', () => {
  expect(asSearches({ kind: 'msearch', hasTemplates: true }, plain).message).toContain('_render/template');
  expect(asSearches({ kind: 'msearch' }, plain).message).toContain('strip the headers with: awk');
});

test('a file that is not UTF-8 is refused with the command that converts it', () => {
  expect(foreignRefusal('UTF-16', plain).message).toBe(
    'is UTF-16 text; convert it with: iconv -f UTF-16 -t UTF-8 /data/shop.ndjson > shop.utf-8.ndjson',
  );
});

test('a file that may be a bulk file is refused as documents, with the command that strips it', () => {
  const found = asDocuments({ kind: 'unsure', could: ['bulk', 'documents'] }, plain);
  expect(found!.message).toContain('may be a bulk file');
  expect(found!.message).toContain(`${STRIP_ACTIONS} `);
  expect(asDocuments({ kind: 'unsure', could: ['documents', 'search-log'] }, plain)).toBeNull();
});
