import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { outgoing } from '../proxies';
import { download, fetchText, isReachable, sha512 } from './download';

const CONTENT = randomBytes(3_000_000);
const SHA512 = createHash('sha512').update(CONTENT).digest('hex');

let folder: string;
let server: Server;
let url: string;
let ranges: (string | undefined)[];
/** Handles a request to the server; each test sets its own handler. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;

const startOf = (request: IncomingMessage): number =>
  Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);

/** Answers like a correct server: with the requested range or everything. */
function serve(request: IncomingMessage, response: ServerResponse, content = CONTENT): void {
  const start = startOf(request);
  if (request.headers.range === undefined) response.writeHead(200, { 'content-length': content.length });
  else if (start >= content.length) return void response.writeHead(416).end();
  else {
    response.writeHead(206, {
      'content-range': `bytes ${start}-${content.length - 1}/${content.length}`,
      'content-length': content.length - start,
    });
  }
  response.end(content.subarray(start));
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-download-'));
  ranges = [];
  server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.zip`;
});
afterEach(async () => {
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const MIRROR = 'DYNO_MAVEN_REPOSITORY';
const wanted = () => ({
  url,
  to: join(folder, 'file.zip'),
  checksum: sha512(SHA512),
  mirror: MIRROR,
  retryDelayMs: 1,
});
const expectOnlyTheFile = (): void => {
  expect(readdirSync(folder)).toEqual(['file.zip']);
  expect(readFileSync(join(folder, 'file.zip')).equals(CONTENT)).toBe(true);
};

describe('an endless response', () => {
  const endless = (response: ServerResponse): void => {
    const go = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(100_000, 0x61))) continue;
      if (!response.destroyed) response.once('drain', go);
    };
    go();
  };

  it('is read only up to the length of a checksum', async () => {
    answer = (_, response) => endless(response);
    expect(await fetchText(url, MIRROR)).toBe('a'.repeat(4096));
  });

  it('is refused at the size that the server announced', async () => {
    answer = (request, response) => {
      response.writeHead(206, { 'content-range': `bytes 0-999/1000` });
      endless(response);
      request.resume();
    };
    writeFileSync(join(folder, 'file.zip.part'), '');
    await expect(download(wanted())).rejects.toMatchObject({ code: 'download.refused' });
  });
});

describe('a download', () => {
  it('creates the complete file and leaves no other files', async () => {
    answer = serve;
    const seen: [number, number | undefined][] = [];
    await expect(download({ ...wanted(), onProgress: (...at) => seen.push(at) })).resolves.toBe(wanted().to);
    expectOnlyTheFile();
    expect(seen.at(-1)).toEqual([CONTENT.length, CONTENT.length]);
  });

  it('sends no request if the file exists', async () => {
    writeFileSync(wanted().to, CONTENT);
    await download(wanted());
    expect(ranges).toEqual([]);
  });

  it('replaces a file with different content', async () => {
    answer = serve;
    writeFileSync(wanted().to, 'something else');
    await download(wanted());
    expectOnlyTheFile();
  });

  it('resumes an earlier download', async () => {
    answer = serve;
    writeFileSync(`${wanted().to}.part`, CONTENT.subarray(0, 1_000_000));
    await download(wanted());
    expectOnlyTheFile();
    expect(ranges).toEqual(['bytes=1000000-']);
  });

  it('verifies a complete download that was not verified yet', async () => {
    answer = serve;
    writeFileSync(`${wanted().to}.part`, CONTENT);
    await download(wanted());
    expectOnlyTheFile();
  });

  it('starts again if the server does not support ranges', async () => {
    answer = (_request, response) => void response.end(CONTENT);
    writeFileSync(`${wanted().to}.part`, CONTENT.subarray(0, 1_000_000));
    await download(wanted());
    expectOnlyTheFile();
  });

  it('starts again once if the resumed part was wrong', async () => {
    answer = serve;
    writeFileSync(`${wanted().to}.part`, 'not the beginning of it');
    await download(wanted());
    expectOnlyTheFile();
    expect(ranges).toEqual(['bytes=23-', undefined]);
  });

  it('resumes after each lost connection as long as new bytes arrive', async () => {
    answer = (request, response) => {
      const start = startOf(request);
      const size = CONTENT.length;
      response.writeHead(206, {
        'content-range': `bytes ${start}-${size - 1}/${size}`,
        'content-length': size - start,
      });
      const end = Math.min(size, start + 400_000);
      response.write(CONTENT.subarray(start, end), () =>
        end === size ? response.end() : setImmediate(() => response.destroy()),
      );
    };
    writeFileSync(`${wanted().to}.part`, CONTENT.subarray(0, 1));
    await download(wanted());
    expectOnlyTheFile();
    expect(ranges.length).toBeGreaterThan(5);
  });

  it('keeps the partial file when it gives up', async () => {
    let first = true;
    answer = (_request, response) => {
      if (!first) return void response.destroy();
      first = false;
      response.writeHead(200, { 'content-length': CONTENT.length });
      response.write(CONTENT.subarray(0, 500_000), () => setImmediate(() => response.destroy()));
    };
    await expect(download(wanted())).rejects.toMatchObject({ kind: 'run', code: 'download.interrupted' });
    expect(readFileSync(`${wanted().to}.part`).length).toBeGreaterThan(0);
    answer = serve;
    await download(wanted());
    expectOnlyTheFile();
  });

  it('refuses a complete file with different content, and shows both checksums', async () => {
    const corrupted = Buffer.from(CONTENT);
    corrupted[1_500_000]! ^= 1;
    answer = (request, response) => serve(request, response, corrupted);
    const failure = download(wanted());
    await expect(failure).rejects.toMatchObject({ kind: 'run', code: 'download.checksum' });
    await expect(failure).rejects.toThrow(SHA512);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports a refusal immediately', async () => {
    answer = (_request, response) => void response.writeHead(404).end();
    await expect(download(wanted())).rejects.toMatchObject({ kind: 'run', code: 'download.refused' });
    expect(ranges).toHaveLength(1);
  });

  it('retries if the server is overloaded for a moment', async () => {
    answer = (request, response) =>
      ranges.length < 3 ? void response.writeHead(503).end() : serve(request, response);
    await download(wanted());
    expectOnlyTheFile();
  });

  it('explains what to do without a network', async () => {
    await new Promise((resolve) => server.close(resolve));
    const failure = download(wanted());
    await expect(failure).rejects.toMatchObject({ kind: 'run', code: 'download.unreachable' });
    await expect(failure).rejects.toThrow(/ECONNREFUSED.*DYNO_MAVEN_REPOSITORY/s);
  });

  it('does not start if the disk has too little space', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 2 ** 52 });
      response.write('x');
    };
    await expect(download(wanted())).rejects.toMatchObject({ kind: 'run', code: 'disk.full' });
  });

  it('downloads once for two simultaneous calls', async () => {
    answer = serve;
    let waits = 0;
    const twice = [1, 2].map(() => download({ ...wanted(), onWait: () => (waits += 1) }));
    await Promise.all(twice);
    expectOnlyTheFile();
    expect(ranges).toHaveLength(1);
    expect(waits).toBe(1);
  });
});

test('a server that closes the connection behind its answer does not end the process', async () => {
  // This is exactly the amount that undici buffers before it pauses a response. The end of the connection then arrives during the pause.
  const body = Buffer.alloc(64 * 1024, 'a');
  let hasEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (hasEnded = resolve));
  const closing = createNetServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('close', () => hasEnded());
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`);
      socket.end(body);
    });
  });
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
  const agent = outgoing();
  try {
    const { port } = closing.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`, { dispatcher: agent });
    // Nobody reads until the connection has ended.
    await ended;
    expect((await response.text()).length).toBe(body.length);
  } finally {
    await agent.destroy();
    closing.close();
  }
});

describe('whether a server can be reached', () => {
  it('is true for any answer', async () => {
    answer = (_, response) => void response.writeHead(404).end();
    await expect(isReachable(url)).resolves.toBe(true);
  });

  it('is false where nothing listens, and after 3 s without an answer', async () => {
    await expect(isReachable('http://127.0.0.1:9/')).resolves.toBe(false);
    answer = () => undefined;
    const begun = performance.now();
    await expect(isReachable(url)).resolves.toBe(false);
    expect(performance.now() - begun).toBeLessThan(6000);
  });
});
