import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { madeAbout } from '../../../../common/about/testing/made-about';
import { writeWhole } from '../../../whole-file';
import { bundleLines, commonParts, logPart, makeBundle, tailOf, type BundlePart } from './bundle';
import { createRedactor, secretsOf } from '../../../../common/secrets/redact';
import { parseTime } from '../../../../common/units/time';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dyno-bundle-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Returns the contents of the files of a zip by their names. */
async function unzip(zip: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const opened = await yauzl.fromBufferPromise(zip);
  for await (const entry of opened.eachEntry()) {
    const stream = await opened.openReadStreamPromise(entry);
    files.set(entry.fileName.replace('dyno-support/', ''), (await buffer(stream)).toString('utf8'));
  }
  return files;
}

/**
 * One secret for each setting, header or log in which a secret can occur, and for each encoding. The bundle must not contain any of them.
 */
const SECRETS = {
  url: 'planted-url-1',
  apiKey: 'cGxhbnRlZDphcGkta2V5LTI=',
  bearer: 'planted-bearer-3',
  yaml: 'planted yaml 4',
  cookie: 'planted-cookie-5',
  privateKey: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
  environment: 'planted-environment-6',
  variableInLog: 'planted-variable-7',
  nested: 'planted-nested-8',
  failure: 'planted-failure-9',
  runHost: 'planted-run-host-10',
};

const LOG = `2026-11-24T22:00:00Z WARN connecting to https://elastic:${SECRETS.url}@es1:9200
2026-11-24T22:00:01Z INFO authorization: ApiKey ${SECRETS.apiKey}
2026-11-24T22:00:02Z INFO headers {"Authorization":"Bearer ${SECRETS.bearer}","Cookie":"sid=${SECRETS.cookie}"}
2026-11-24T22:00:03Z INFO the text ${SECRETS.variableInLog} without any name
-----BEGIN PRIVATE KEY-----
${SECRETS.privateKey}
-----END PRIVATE KEY-----
2026-11-24T22:00:04Z INFO this line stays
`;

test('the bundle contains no planted secret, and everything else', async () => {
  const environment = { DYNO_PASSWORD: SECRETS.environment, SOME_TOKEN: SECRETS.variableInLog };
  const redactor = createRedactor(secretsOf(environment));
  const log = path.join(folder, 'server.log');
  await writeFile(log, LOG);
  const settings = path.join(folder, 'elasticsearch.yml');
  await writeFile(settings, `cluster.name: dyno\nsecure_password: ${SECRETS.yaml}\nhttp.port: 9200\n`);
  await writeFile(path.join(folder, 'waiting.ndjson'), `{"password":"${SECRETS.nested}"}`);
  const parts: BundlePart[] = [
    ...commonParts({
      about: () => Promise.resolve(madeAbout({}, { results: `wrong password: ${SECRETS.failure}` })),
      paths: () => Promise.resolve([{ name: 'data', path: folder, state: 'there' as const }]),
      configuration: () => ({
        options: { results: `https://u:${SECRETS.url}@h` },
        targets: [{ id: 'a', credentials: { kind: 'basic', words: [SECRETS.nested] } }],
        environment,
      }),
      reader: () => ({
        listRuns: () =>
          Promise.resolve([
            {
              run: { id: 'run-1', reason: `401 for https://x:${SECRETS.runHost}@es` },
              definition: { name: 'kept-name', tasks: [{ headers: { 'x-api-key': SECRETS.nested } }] },
            } as never,
          ]),
      }),
      spoolFolder: folder,
    }),
    logPart('logs/server.log', 'log', log),
    logPart('configuration/elasticsearch.yml', 'settings', settings),
    {
      name: 'fails.json',
      what: 'nothing',
      make: () => Promise.reject(new Error(`Bearer ${SECRETS.bearer} refused`)),
    },
  ];
  const { stream, missing, fileName } = await makeBundle(parts, redactor, {
    version: '0.1.0',
    now: new Date(parseTime('2026-11-24T22:03:00Z')),
  });
  const zip = await buffer(stream);
  const files = await unzip(zip);
  const all = [...files].map(([name, text]) => `${name}\n${text}`).join('\n') + zip.toString('latin1');
  for (const secret of Object.values(SECRETS)) {
    expect(all).not.toContain(secret);
    expect(all).not.toContain(Buffer.from(secret).toString('base64'));
  }
  expect(fileName).toBe('dyno-support-20261124-2203.zip');
  expect([...files.keys()].sort()).toEqual(
    bundleLines(parts)
      .map((line) => line.split(':')[0])
      .filter((name) => name !== 'fails.json')
      .sort(),
  );
  expect(missing).toEqual([{ name: 'fails.json', why: 'Bearer [removed] refused' }]);
  expect(files.get('README.txt')).toContain('- fails.json: Bearer [removed] refused');
  expect(files.get('logs/server.log')).toContain('this line stays');
  expect(files.get('configuration/elasticsearch.yml')).toContain('http.port: 9200');
  expect(JSON.parse(files.get('runs.json')!)).toMatchObject([
    { run: { id: 'run-1' }, definition: { name: 'kept-name' } },
  ]);
  expect(files.get('spool.json')).toContain('waiting.ndjson');
  expect(JSON.parse(files.get('about.json')!)).toMatchObject({ host: 'standalone' });
});

test('a spool that was never used is an empty list', async () => {
  const nowhere = path.join(folder, 'never-made');
  const spool = commonParts({
    about: () => Promise.reject(new Error('not asked')),
    paths: () => Promise.resolve([]),
    configuration: () => ({}),
    reader: () => ({ listRuns: () => Promise.resolve([]) }),
    spoolFolder: nowhere,
  }).find(({ name }) => name === 'spool.json')!;
  expect(await spool.make()).toEqual({ files: [], unlisted: 0 });
});

test('it is written completely, and only its owner may read it', async () => {
  const { stream } = await makeBundle([], createRedactor(), { version: '0.1.0' });
  const file = path.join(folder, 'support.zip');
  await writeWhole(file, stream, { mode: 0o600, exclusive: true });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await unzip(await readFile(file))).get('README.txt')).toContain('Dyno 0.1.0');
});

test('of a long log the end is included, from the first complete line on', async () => {
  const file = path.join(folder, 'long.log');
  await writeFile(file, 'first line\nsecond line\nthird line\n');
  expect(await tailOf(file, 15)).toBe('third line\n');
  expect(await tailOf(file)).toContain('first line');
});

test('for variables that may contain a secret, the bundle shows only that they are set', async () => {
  const planted = {
    DYNO_WEBHOOK: 'https://hooks.example.org/T1',
    DYNO_NEW: 'planted',
    ES_JAVA_OPTS: '-Dx=planted',
    TZ: 'UTC',
  };
  const replaced = jest.replaceProperty(process, 'env', { ...process.env, ...planted });
  try {
    const [part] = commonParts({
      about: () => Promise.reject(new Error('not asked')),
      paths: () => Promise.resolve([]),
      configuration: () => ({}),
      reader: () => ({ listRuns: () => Promise.resolve([]) }),
      spoolFolder: folder,
    }).filter(({ name }) => name === 'environment.json');
    const variables = (await part!.make()) as Record<string, string>;
    expect(variables).toMatchObject({ DYNO_WEBHOOK: 'set', DYNO_NEW: 'set', ES_JAVA_OPTS: 'set', TZ: 'UTC' });
    expect(variables).not.toHaveProperty('PATH');
  } finally {
    replaced.restore();
  }
});
