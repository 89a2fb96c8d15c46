/** Puts secrets wherever a user may put one. Nothing that Dyno prints, exports or answers may contain them. */
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import yauzl from 'yauzl';
import { workplace, type Ended, type Running, type Workplace } from './support/dyno';
import { sharedElasticsearch } from './support/elasticsearch';

jest.setTimeout(240_000);

const url = sharedElasticsearch();

/** Matches the beginning of each secret, so that parts of a secret are found too. */
const MARK = /plant|\bed\d/;

/**
 * Addresses with a password that is not percent-encoded. Because of characters such as `/`, the password cannot be recognised. The error
 * message must ask for percent-encoding, without showing the password.
 */
const TO_ENCODE = [
  'https://elastic:plant/ed1@127.0.0.1:1',
  'https://elastic:1/plant2@127.0.0.1:1',
  'https://elastic:plant,ed3@127.0.0.1:1',
  'https://elastic:1,plant4@127.0.0.1:1',
  'https://elastic:plant ed5@127.0.0.1:1',
  'https://elastic:plant?ed6@127.0.0.1:1',
  'https://elastic:plant#ed7@127.0.0.1:1',
  'https://elastic:plant\\ed10@127.0.0.1:1',
  'https:/elastic:planted11@127.0.0.1:1',
  'elastic:plant/ed13@127.0.0.1:1',
  'https://elastic:planted15',
];
/** More addresses with a secret that Dyno cannot use, for example because of an unknown scheme, a query or a closed port. */
const OTHERS = [
  'https://elastic:plant@ed8@127.0.0.1:1',
  'https://elastic:plant%ed9@127.0.0.1:1',
  'elastic:planted12@127.0.0.1:1',
  'ftp://elastic:planted14@127.0.0.1:1',
  'https://127.0.0.1:1/?api_key=planted16',
  'https://127.0.0.1:1#token=planted17',
  `https://elastic:"plant'ed18"@127.0.0.1:1`,
  'https://elastic:planted19@127.0.0.1:1',
];
const ADDRESSES = [...TO_ENCODE, ...OTHERS];
/** Two of the addresses, with which every option is tested. Two are enough, because the same code reads the addresses of all options. */
const SOME = [TO_ENCODE[0]!, TO_ENCODE[8]!];

const outputOf = ({ stdout, stderr }: Ended): string => stdout + stderr;

function expectClean(text: string, where: string): void {
  const found = MARK.exec(text);
  const around = found === null ? '' : text.slice(Math.max(0, found.index - 80), found.index + 80);
  expect([where, around]).toEqual([where, '']);
}

describe('an error about an address', () => {
  const run = async (
    args: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<{ code: number | null; text: string }> => {
    const place = workplace({ DYNO_CACHE: process.env['DYNO_CACHE'] ?? '', ...environment });
    try {
      const ended = await place.dyno(...args);
      return { code: ended.code, text: outputOf(ended) };
    } finally {
      place.remove();
    }
  };

  /** Returns the output of two commands that fail because they cannot use `address`. */
  async function failing(address: string): Promise<string> {
    const option = await run(['runs', '--results', address]);
    const variable = await run(['runs'], { DYNO_RESULTS: address });
    for (const { code, text } of [option, variable]) {
      expect(code).toBeGreaterThan(1);
      expectClean(text, address);
      expect(text).not.toMatch(/^\s+at /m);
    }
    return option.text;
  }

  test.each(TO_ENCODE)('shows nothing of %s, and explains how to percent-encode', async (address) => {
    expect(await failing(address)).toContain('percent-encoded');
  });

  test.each(OTHERS)('shows nothing of %s', async (address) => {
    expect(await failing(address)).not.toBe('');
  });

  test.each(SOME)('shows nothing of %s, in whichever option or variable it is', async (address) => {
    const target = 'http://127.0.0.1:1';
    for (const [args, environment] of [
      [['learn', 'logs', '--elasticsearch', address], {}],
      [['learn', 'logs'], { DYNO_ELASTICSEARCH: address }],
      [['worker', '--join', address], {}],
      [['watch', 'x', '--webhook', address, '--results', target], {}],
      [['watch', 'x', '--webhook', '--results', target], { DYNO_WEBHOOK: address }],
      [['watch', 'x', '--webhook', 'https://127.0.0.1:1/a', '--results', target], { HTTPS_PROXY: address }],
      [['start', '--port', '0'], { DYNO_WEBHOOK: address }],
      [['runs', '--results', target], { DYNO_ALLOWED_HOSTS: address }],
      [['runs', `--reslts=${address}`], {}],
      [['report', address, '--results', target], {}],
      [['run', address], {}],
      [['run', address, address], {}],
      [['learn', address], {}],
      [['learn', address, 'profile.json'], {}],
      [['inspect', address], {}],
      [['import', 'rally', address], {}],
    ] as [string[], Record<string, string>][]) {
      const { code, text } = await run(args, environment);
      expect([args, code]).not.toEqual([args, 0]);
      expectClean(text, args.join(' '));
    }
  });
});

describe('a run whose definition carries credentials', () => {
  let place: Workplace;
  let proxy: Server;
  const sent: IncomingHttpHeaders[] = [];

  beforeAll(async () => {
    place = workplace({
      DYNO_WEBHOOK: 'http://127.0.0.1:1/services/planted-hook-1/planted-hook-2?token=planted-hook-3',
      DYNO_TARGET_API_KEY: Buffer.from('planted-key-id:planted-key').toString('base64'),
      DYNO_PASSWORD: 'planted-password',
      NO_PROXY: '127.0.0.1',
      HTTPS_PROXY: 'http://me:planted-proxy@127.0.0.1:1',
      ES_JAVA_OPTS: '-Djavax.net.ssl.trustStorePassword=planted-java',
      DYNO_ANY_OTHER: 'planted-other',
    });
    proxy = createServer((incoming, outgoing) => {
      sent.push(incoming.headers);
      const { hostname, port } = new URL(url());
      const onwards = httpRequest(
        {
          hostname,
          port,
          path: incoming.url,
          method: incoming.method,
          headers: incoming.headers,
        },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        },
      );
      onwards.on('error', () => outgoing.destroy());
      incoming.pipe(onwards);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    place.remove();
    proxy.closeAllConnections();
    proxy.close();
  });

  const target = (): string => {
    const { port } = proxy.address() as AddressInfo;
    return `http://elastic:planted-url@127.0.0.1:${port}`;
  };

  const HEADERS = {
    'x-api-key': 'planted-header-1',
    'es-secondary-authorization': 'ApiKey planted-header-2',
    'x-amz-security-token': 'planted-header-3',
    'x-any': 'Bearer planted-header-4',
    'x-opaque-id': 'kept-header',
  };
  const definition = {
    version: 1,
    name: 'Searches as somebody',
    spread: 'given-hosts',
    index: { mapping: {} },
    tasks: [
      {
        name: 'search',
        requests: {
          list: [
            {
              name: 'any',
              http: {
                method: 'POST',
                path: '/{{index}}/_search',
                params: { preference: 'a' },
                headers: HEADERS,
                body: {
                  query: {
                    bool: { should: [{ match: { password: 'planted-body' } }, { term: { a: '{{token}}' } }] },
                  },
                },
              },
            },
          ],
          parameters: { token: { values: ['planted-parameter-1', 'planted-parameter-2'] } },
        },
        executor: { 'constant-clients': { clients: 1 } },
      },
    ],
    measure: { warmup: '0s', duration: '1s' },
    trials: 1,
  };

  async function unzip(zip: Buffer): Promise<string> {
    const opened = await yauzl.fromBufferPromise(zip);
    let all = '';
    for await (const entry of opened.eachEntry())
      all += `${entry.fileName}\n${(await buffer(await opened.openReadStreamPromise(entry))).toString('utf8')}`;
    return all;
  }

  const read = (name: string): string => readFileSync(path.join(place.folder, name), 'utf8');

  let run = '';

  it('sends them unchanged, and prints none', async () => {
    const file = place.write('experiment.json', definition);
    const reports = ['html', 'md', 'json', 'csv', 'xml'].flatMap((ending) => [
      '--report',
      `report.${ending}`,
    ]);
    const ended = await place.dyno('run', file, '--elasticsearch', target(), ...reports);
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    expectClean(outputOf(ended), 'dyno run');
    expect(sent.some((headers) => headers['x-api-key'] === HEADERS['x-api-key'])).toBe(true);
    expect(sent.some((headers) => headers['es-secondary-authorization'] === 'ApiKey planted-header-2')).toBe(
      true,
    );
    for (const ending of ['html', 'md', 'json', 'csv', 'xml']) expectClean(read(`report.${ending}`), ending);
    expect(read('report.json')).toContain('kept-header');
    run = (JSON.parse(read('report.json')) as { run: { id: string } }).run.id;
  });

  it('shows none in later commands, exports and the support bundle', async () => {
    for (const args of [
      ['report', run],
      ['report', run, '--json'],
      ['runs'],
      ['history', definition.name, '--json'],
      ['compare', run, run],
    ]) {
      const ended = await place.dyno(...args, '--results', target());
      expect([args, ended.code, ended.stderr]).toEqual([args, 0, expect.any(String)]);
      expectClean(outputOf(ended), args.join(' '));
    }
    const exported = await place.dyno('results', 'export', run, '--file', 'runs.gz', '--results', target());
    expect(exported.code).toBe(0);
    expectClean(gunzipSync(readFileSync(path.join(place.folder, 'runs.gz'))).toString('utf8'), 'export');
    const again = await place.dyno('results', 'import', 'runs.gz', '--results', target());
    expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
    const support = await place.dyno('support', '--file', 'support.zip', '--results', target());
    expect(support.code).toBe(0);
    expectClean(outputOf(support), 'dyno support');
    const bundle = await unzip(readFileSync(path.join(place.folder, 'support.zip')));
    expectClean(bundle, 'bundle');
    expect(bundle).toContain('"DYNO_WEBHOOK": "set"');
    expect(bundle).toContain('"DYNO_ANY_OTHER": "set"');
    expect(bundle).toContain('kept-header');
  });

  it('is refused if a credential was removed from its definition, and the error says where', async () => {
    const { definition: shown } = JSON.parse(read('report.json')) as { definition: unknown };
    const ended = await place.dyno('validate', place.write('removed.json', shown));
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('http.headers.x-api-key: a credential was removed here');
  });

  it('shows none in errors about it', async () => {
    const wrong = {
      ...definition,
      tasks: [
        {
          ...definition.tasks[0],
          requests: {
            list: [
              {
                http: {
                  path: '/',
                  headers: {
                    'x-api-key': ['planted-list'],
                    authorization: 'planted-own',
                    'x-token': 'planted-\n',
                  },
                },
              },
            ],
          },
        },
      ],
    };
    const broken = `name: a\nheaders:\n  x-api-key: "planted-yaml\n  - b: [\n`;
    for (const file of [place.write('wrong.json', wrong), place.write('broken.yml', broken)]) {
      const ended = await place.dyno('validate', file);
      expect(ended.code).toBe(2);
      expectClean(outputOf(ended), file);
    }
  });

  it('shows none in the server’s answers, logs and support bundle', async () => {
    const server: Running = place.start(
      'start',
      '--port',
      '0',
      '--elasticsearch',
      target(),
      '--no-collector',
    );
    const texts: string[] = [];
    try {
      const base = await new Promise<string>((resolve, reject) => {
        let output = '';
        server.child.stdout!.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          const found = /(http:\/\/\S+)/.exec(output);
          if (found) resolve(found[1]!);
        });
        void server.ended.then((ended) => reject(new Error(JSON.stringify(ended))));
      });
      const call = async (method: 'GET' | 'POST', where: string, body?: unknown): Promise<Buffer> => {
        const answer = await request(base + where, {
          method,
          headers: {
            'x-dyno-request': '1',
            authorization: 'Bearer planted-password',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: body === undefined ? undefined : JSON.stringify(body),
        });
        const bytes = Buffer.from(await answer.body.arrayBuffer());
        texts.push(`${where} ${answer.statusCode} ${bytes.toString('utf8')}`);
        return bytes;
      };
      const kept = {
        title: 'Kept',
        hosts: ['http://127.0.0.1:1'],
        credentials: { kind: 'basic', username: 'me', password: 'planted-target' },
        ca: null,
        verifyCertificates: true,
      };
      await call('POST', '/api/dyno/targets', { id: 'kept', ...kept });
      await call('GET', '/api/dyno/targets');
      await call('GET', '/api/dyno/targets/kept/facts');
      for (const hosts of ADDRESSES)
        await call('POST', '/api/dyno/targets/_test', { ...kept, hosts: [hosts] });
      await call('GET', '/api/dyno/runs');
      await call('GET', `/api/dyno/runs/${run}`);
      await call('GET', `/api/dyno/runs/${run}/report`);
      for (const format of ['html', 'md', 'json', 'csv'])
        await call('GET', `/api/dyno/runs/${run}/export?format=${format}`);
      await call('GET', '/api/dyno/about');
      await call('GET', '/api/dyno/about/paths');
      expect(texts.filter((text) => / 200 /.test(text)).length).toBeGreaterThanOrEqual(10);
      const bundle = await unzip(await call('GET', '/api/dyno/about/support'));
      expectClean(bundle, 'bundle of the server');
      expect(bundle).toContain('127.0.0.1:1');
    } finally {
      server.child.kill('SIGINT');
    }
    expectClean(outputOf(await server.ended), 'dyno start');
    for (const text of texts) expectClean(text, text.slice(0, 60));
    const logs = path.join(place.folder, 'data', 'logs');
    for (const name of readdirSync(logs)) expectClean(readFileSync(path.join(logs, name), 'utf8'), name);
  });
});
