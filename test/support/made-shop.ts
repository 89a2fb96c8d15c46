/**
 * Simulates a shop for recordings of traffic. Its clients write, search, scroll, and read what was written. Searches only find documents
 * that no client changes. Therefore, a replay gets the same responses. The query string of each request contains the numbers of the client
 * and of the request.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { createRandom, type Random } from '../../common/random';

export interface ShopSize {
  seconds: number;
  /** Number of clients. Each client has one connection. */
  clients: number;
  /** Requests per second of all clients together. */
  perSecond: number;
}

export const SHOP_INDEX = {
  settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '1s' },
  mapping: {
    properties: {
      kind: { type: 'keyword' },
      name: { type: 'text' },
      group: { type: 'keyword' },
      client: { type: 'keyword' },
      price: { type: 'double' },
    },
  },
} as const;

const INDEX = 'shop';
const PRODUCTS = 500;
const WORDS = ['red', 'green', 'blue', 'small', 'large', 'round', 'cheap', 'heavy', 'paper', 'steel'];
/** Time in ms from the beginning until the clients send requests. By then, the products of the shop are stored. */
const BEGIN_MS = 1500;

interface Version {
  seqNo: number;
  term: number;
}

interface Known extends Version {
  id: string;
  /**
   * Version of the document before its last change. The client uses it to write with an outdated version. Undefined if the document was
   * never changed.
   */
  before?: Version;
}

const pick = <T>(random: Random, all: readonly T[]): T => all[random.below(all.length)]!;

/** Matches the mark in the query string of a request. The mark contains the number of the client and the number of the request. */
export const MARK = /c(\d+)n(\d+)x/;

class ShopClient {
  private readonly client: Client;
  private readonly random: Random;
  private readonly own: Known[] = [];
  private count = 0;

  constructor(
    url: string,
    private readonly number: number,
    /** Ids of documents that all clients may read. A client adds the ids of documents that it writes and that no client deletes. */
    private readonly shared: string[],
  ) {
    this.client = new Client(url, { pipelining: 1, keepAliveTimeout: 60_000, keepAliveMaxTimeout: 600_000 });
    this.random = createRandom(number + 1);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object | string,
  ): Promise<Record<string, unknown>> {
    const mark = `c${this.number}n${this.count}x`;
    this.count += 1;
    // `filter_path=*` keeps the whole answer, so the mark after it changes nothing. The mark is the name of a field, so masking does not
    // change it.
    const answer = await this.client.request({
      method,
      path: `/${path}${path.includes('?') ? '&' : '?'}filter_path=*,_source.${mark}`,
      ...(body === undefined
        ? {}
        : {
            headers: {
              'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
            },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
    });
    return (await answer.body.json()) as Record<string, unknown>;
  }

  /** Stores the products, some of which each search finds. */
  async fill(): Promise<void> {
    const lines = Array.from({ length: PRODUCTS }, (_, at) => [
      { index: { _index: INDEX, _id: `product-${at}` } },
      {
        kind: 'product',
        name: `${pick(this.random, WORDS)} ${pick(this.random, WORDS)}`,
        group: `g${at % 7}`,
        price: at,
      },
    ]).flat();
    await this.send(
      'POST',
      '_bulk?refresh=true',
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    );
  }

  /** Sends requests at random times until the time `until`. `everyMs`: mean time between two requests. */
  async use(until: number, everyMs: number): Promise<void> {
    let due = performance.now();
    for (;;) {
      due += -Math.log(1 - this.random.unit()) * everyMs;
      if (due > until) return;
      await sleep(Math.max(0, due - performance.now()));
      await this.step();
    }
  }

  private search(): object {
    return {
      query: {
        bool: { must: { match: { name: pick(this.random, WORDS) } }, filter: { term: { kind: 'product' } } },
      },
      sort: ['price'],
      size: 5,
    };
  }

  private async step(): Promise<void> {
    const order = { kind: 'order', client: `c${this.number}`, price: Math.floor(this.random.unit() * 1000) };
    const draw = this.random.unit();
    if (draw < 0.2) this.note(await this.send('POST', `${INDEX}/_doc`, order), true);
    else if (draw < 0.3)
      this.note(await this.send('PUT', `${INDEX}/_doc/o-${this.number}-${this.count}`, order), true);
    else if (draw < 0.36) await this.bulk(order);
    else if (draw < 0.52) await this.send('POST', `${INDEX}/_search`, this.search());
    else if (draw < 0.6) {
      const lines = [{ index: INDEX }, this.search(), {}, this.search()];
      await this.send(
        'POST',
        `${INDEX}/_msearch`,
        `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
      );
    } else if (draw < 0.75 && this.shared.length > 0)
      await this.send('GET', `${INDEX}/_doc/${pick(this.random, this.shared)}`);
    else if (draw < 0.8 && this.shared.length > 2) {
      const ids = [pick(this.random, this.shared), pick(this.random, this.shared), 'gone'];
      await this.send('POST', `${INDEX}/_mget`, { ids });
    } else if (draw < 0.9 && this.own.length > 0) await this.update(order);
    else if (draw < 0.93) await this.scroll();
    else if (draw < 0.95) await this.pointInTime();
    else if (draw < 0.97)
      await this.send('POST', `${INDEX}/_count`, {
        query: { term: { group: `g${Math.floor(this.random.unit() * 7)}` } },
      });
    else await this.send('DELETE', `${INDEX}/_doc/none-${this.number}-${this.count}`);
  }

  /**
   * Remembers the id and the version of a document that this client has written. `isNew`: whether all clients may read the document from
   * now on.
   */
  private note(answer: Record<string, unknown>, isNew = false): void {
    const {
      _id: id,
      _seq_no: seqNo,
      _primary_term: term,
    } = answer as {
      _id: string;
      _seq_no: number;
      _primary_term: number;
    };
    const known = this.own.find((own) => own.id === id);
    if (known === undefined) this.own.push({ id, seqNo, term });
    else Object.assign(known, { before: { seqNo: known.seqNo, term: known.term }, seqNo, term });
    if (isNew) this.shared.push(id);
  }

  private async bulk(order: object): Promise<void> {
    const number = this.count;
    const lines = [
      ...Array.from({ length: 5 }, () => [{ index: {} }, order]).flat(),
      { index: { _id: `b-${this.number}-${number}` } },
      order,
      { create: { _id: `b-${this.number}-${number}` } },
      order,
      { delete: { _id: 'none' } },
    ];
    const { items } = (await this.send(
      'POST',
      `${INDEX}/_bulk`,
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    )) as { items: { index?: Record<string, unknown> }[] };
    this.note(items[0]!.index!, true);
  }

  /** Updates a document of this client. Sometimes uses an outdated version, for which the response is a conflict. */
  private async update(order: object): Promise<void> {
    const known = pick(this.random, this.own);
    const { id, before } = known;
    const { seqNo, term } = before !== undefined && this.random.unit() < 0.3 ? before : known;
    const version = `if_seq_no=${seqNo}&if_primary_term=${term}`;
    const answer = await this.send('POST', `${INDEX}/_update/${id}?${version}`, { doc: order });
    if (answer['error'] === undefined) this.note(answer);
    else await this.send('GET', `${INDEX}/_doc/${id}`);
  }

  private async scroll(): Promise<void> {
    let { _scroll_id: id } = await this.send('POST', `${INDEX}/_search?scroll=1m`, {
      ...this.search(),
      size: 20,
    });
    for (let page = 0; page < 2; page += 1)
      ({ _scroll_id: id } = await this.send('POST', '_search/scroll', { scroll: '1m', scroll_id: id }));
    await this.send('DELETE', '_search/scroll', { scroll_id: id });
  }

  private async pointInTime(): Promise<void> {
    const { id } = await this.send('POST', `${INDEX}/_pit?keep_alive=1m`);
    const { pit_id: next } = await this.send('POST', '_search', {
      ...this.search(),
      pit: { id, keep_alive: '1m' },
    });
    await this.send('DELETE', '_pit', { id: next ?? id });
  }
}

/** Sends the requests of all clients to the shop. Resolves when the responses to all requests have arrived. */
export async function useShop(url: string, { seconds, clients: count, perSecond }: ShopSize): Promise<void> {
  const shared: string[] = [];
  const clients = Array.from({ length: count }, (_, number) => new ShopClient(url, number, shared));
  const [first] = clients;
  const began = performance.now();
  await first!.fill();
  await sleep(Math.max(0, began + BEGIN_MS - performance.now()));
  const until = performance.now() + seconds * 1000;
  await Promise.all(clients.map((client) => client.use(until, (count / perSecond) * 1000)));
  await Promise.all(clients.map((client) => client.close()));
}
