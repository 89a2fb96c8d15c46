/** Tests bulk requests that exceed the maximum size of a target. */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { ingest, runShare } from '../testing/loopback';

const LIMIT = 4_000_000;

/**
 * Starts a server that reads a request up to the limit and then closes the connection, as nodes and proxies do. `answers`: whether it
 * answers 413 before that.
 */
async function limited(answers: boolean) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let size = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      size += chunk.length;
      if (size <= LIMIT) return;
      if (answers)
        socket.write('HTTP/1.1 413 Payload Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function refused(answers: boolean, maxContentBytes?: number) {
  const target = await limited(answers);
  const task = ingest({ kind: 'constant-clients', clients: 1, thinkTimeMs: 50 });
  const operation = { ...task.operation, bulk: { bytes: 8_000_000 } } as typeof task.operation;
  try {
    const { outcome, silentMs } = await runShare([target.url], [{ ...task, operation }], {
      measureMs: 1000,
      target: {
        nodes: [target.url],
        headers: {},
        verifyCertificates: true,
        requestTimeoutMs: 5000,
        ...(maxContentBytes === undefined ? {} : { maxContentBytes }),
      },
    });
    return { ...outcome, silentMs };
  } finally {
    target.close();
  }
}

const MB = 1024 ** 2;

test('a bulk that is refused with 413 while it is sent has failed, with the setting to look at', async () => {
  const { total, failures } = await refused(true, 5 * MB);
  expect(total.failed).toBeGreaterThan(0);
  expect(total).toMatchObject({ failed: total.attempted, unknown: 0 });
  expect(failures).toEqual({
    'http-413': {
      count: total.failed,
      example: '413: larger than http.max_content_length (5mb here); lower bulk.bytes or bulk.docs',
    },
  });
});

test('a bulk that a proxy finds too large says so, for the nodes would take it', async () => {
  const { failures } = await refused(true, 100 * MB);
  expect(failures['http-413']!.example).toMatch(
    /^413: a bulk of 7\.6mb is larger than a proxy .* http\.max_content_length \(100mb here\); lower bulk\.bytes/,
  );
});

test('a bulk above the limit whose connection is closed while it is sent has failed as well', async () => {
  const { total, failures } = await refused(false, 5 * MB);
  expect(total).toMatchObject({ failed: total.attempted, unknown: 0 });
  expect(failures['http-413']!.example).toMatch(/^413: larger than http\.max_content_length \(5mb here\)/);
});

test('another bulk whose connection is closed while it is sent is unknown, with what may be the cause', async () => {
  const { total, failures } = await refused(false, 100 * MB);
  expect(total).toMatchObject({ failed: 0, unknown: total.attempted });
  expect(failures['connection-lost']!.example).toMatch(
    /: the connection was closed before a bulk of 7\.6mb was answered; if a proxy .* \(100mb here\), lower bulk/,
  );
});

test('a target that closes connections while it reads a bulk is not taken for one that is away', async () => {
  const { total, silentMs } = await refused(false);
  expect(total.unknown).toBeGreaterThan(0);
  expect(silentMs).toBe(0);
});
