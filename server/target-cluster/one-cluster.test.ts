import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection } from './connection';
import { checkOneCluster } from './one-cluster';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** Simulates a host of the cluster with this uuid; '' for one that answers 503. */
async function host(uuid: string): Promise<string> {
  const server = createServer((_, answer) => {
    answer
      .writeHead(uuid === '' ? 503 : 200, { 'content-type': 'application/json' })
      .end(
        JSON.stringify({ cluster_name: `name-${uuid}`, cluster_uuid: uuid, version: { number: '9.5.3' } }),
      );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function check(...hosts: string[]): Promise<string[]> {
  const connection = new Connection({ hosts });
  try {
    return await checkOneCluster(connection);
  } finally {
    await connection.close();
  }
}

test('hosts of one cluster cause no warning', async () => {
  expect(await check(await host('a'), await host('a'))).toEqual([]);
});

test('hosts of different clusters are refused, each named with its cluster', async () => {
  const [one, two, three] = [await host('a'), await host('b'), await host('a')];
  await expect(check(one, two, three)).rejects.toThrow(
    `hosts: the hosts belong to 2 different clusters: ${one}, ${three} are name-a (a); ${two} is name-b (b)`,
  );
});

test('dead hosts are named if others answer', async () => {
  const [one, two] = [await host('a'), await host('')];
  const dead = 'http://127.0.0.1:1';
  const [sentence, ...more] = await check(one, dead, two);
  expect(more).toEqual([]);
  expect(sentence).toContain('2 of the target’s 3 hosts cannot be used');
  expect(sentence).toContain(`${dead} refuses connections`);
  expect(sentence).toContain(`${two}: `);
});

test('if no host answers, the next request reports why', async () => {
  expect(await check('http://127.0.0.1:1', 'http://127.0.0.1:2')).toEqual([]);
});

test('a node that has not joined a cluster does not count as another cluster', async () => {
  const [one, two] = [await host('a'), await host('_na_')];
  expect(await check(one, two)).toEqual([expect.stringContaining(`${two} has not joined a cluster`)]);
});
