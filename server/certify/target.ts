/**
 * A simulated server of known behaviour, which the load generator measures for its certification. The server accepts any search and answers
 * according to its {@link Behaviour}. For each request, it logs when the request had arrived completely and when the response was sent.
 * Times are from the clock that all processes of a machine share. Handling a request allocates no memory.
 */
import { availableParallelism } from 'node:os';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createRandom, type Random } from '../../common/random';
import { behaviourNamed, FATES, type Behaviour, type BehaviourName } from './behaviours';
import { tick } from '../load/timing/clock';
import { Departures } from './departures';

/** Capacity of the log, in requests. */
const MOST = 1 << 20;

/** Log of all requests, in the order of arrival. Times are in ms of `process.hrtime`. */
export interface TargetLog {
  arrivals: Float64Array;
  /** For each request: time at which the response was sent or the connection ended; 0 if neither has happened yet. */
  departures: Float64Array;
  /** For each request: its fate, as an index in `FATES`. */
  fates: Uint8Array;
  /** Share of the machine's CPU that this process has used since the behaviour was set, in [0, 1]. */
  cpuShare: number;
}

const response = (status: string, body: string): Buffer =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

const FOUND = response(
  '200 OK',
  '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{"hits":[]}}',
);
const REJECTED = response(
  '429 Too Many Requests',
  '{"error":{"type":"es_rejected_execution_exception","reason":"rejected, as it was asked to"},"status":429}',
);

/** Maximum size of the headers of a request, in bytes. */
const LONGEST_HEAD = 4096;

export class CertifyTarget {
  private readonly server: Server;
  private readonly departures: Departures;
  private readonly sockets: (Socket | null)[] = [];
  private readonly arrivedAt = new Float64Array(MOST);
  private readonly leftAt = new Float64Array(MOST);
  private readonly fates = new Uint8Array(MOST);
  private readonly connections = new Set<Socket>();
  private count = 0;
  private behaviour: Behaviour = behaviourNamed('constant');
  private random: Random = createRandom(1);
  private since = 0;
  private cpuBefore = process.cpuUsage();

  /** `entry`: path of the entry file of the timing thread, see {@link Departures}. */
  constructor(entry: string) {
    this.departures = new Departures(entry, MOST, () => {
      this.depart();
    });
    this.server = createServer({ noDelay: true }, (socket) => {
      this.serve(socket);
    });
  }

  /** Listens on the loopback interface. Resolves to the port. */
  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  /** Switches the behaviour of the simulated server and empties its log. */
  behave(name: BehaviourName, seed: number): void {
    this.behaviour = behaviourNamed(name);
    this.random = createRandom(seed);
    this.leftAt.fill(0, 0, this.count);
    this.sockets.length = 0;
    this.departures.clear();
    this.count = 0;
    this.since = tick();
    this.cpuBefore = process.cpuUsage();
  }

  log(): TargetLog {
    const cpu = process.cpuUsage(this.cpuBefore);
    return {
      arrivals: this.arrivedAt.slice(0, this.count),
      departures: this.leftAt.slice(0, this.count),
      fates: this.fates.slice(0, this.count),
      cpuShare: (cpu.user + cpu.system) / 1000 / Math.max(1, tick() - this.since) / availableParallelism(),
    };
  }

  close(): void {
    this.departures.close();
    this.server.close();
    for (const socket of this.connections) socket.destroy();
  }

  /** Serves a connection. Reads one request at a time: first the headers, then as many bytes of the body as the headers specify. */
  private serve(socket: Socket): void {
    this.connections.add(socket);
    let head = '';
    let left = 0;
    let request = -1;
    socket.on('error', () => {
      socket.destroy();
    });
    socket.on('close', () => {
      this.connections.delete(socket);
      // The load generator has given up a request that has no answer yet.
      if (request >= 0 && this.sockets[request] === socket) this.note(request, tick());
    });
    socket.on('data', (chunk) => {
      const now = tick();
      let at = 0;
      if (left === 0) {
        head += chunk.toString('latin1', 0, Math.min(chunk.length, LONGEST_HEAD));
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const before = head.length - Math.min(chunk.length, LONGEST_HEAD);
        left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        at = end + 4 - before;
        head = '';
      }
      left -= chunk.length - at;
      if (left > 0) return;
      left = 0;
      request = this.arrived(socket, now);
    });
  }

  private arrived(socket: Socket, now: number): number {
    if (this.count === MOST) {
      socket.destroy();
      return -1;
    }
    const request = this.count;
    this.count += 1;
    const { behaviour, random } = this;
    const serviceMs = behaviour.serviceMs(random);
    const fate = behaviour.fate(random);
    this.arrivedAt[request] = now;
    this.fates[request] = FATES.indexOf(fate);
    this.sockets[request] = socket;
    if (fate !== 'hang') this.departures.add(this.afterStall(now + serviceMs), request);
    return request;
  }

  private afterStall(moment: number): number {
    const { stall } = this.behaviour;
    if (stall === null) return moment;
    const into = (moment - this.since) % stall.everyMs;
    // Each period ends with the stall, so that the beginning of a load has none.
    return into < stall.everyMs - stall.forMs ? moment : moment - into + stall.everyMs;
  }

  private depart(): void {
    for (;;) {
      const now = tick();
      const request = this.departures.take(now);
      if (request < 0) return;
      const socket = this.sockets[request];
      // The load generator has given up the request, or another behaviour has begun.
      if (!socket || socket.destroyed || this.leftAt[request] !== 0) continue;
      const fate = FATES[this.fates[request]!];
      this.note(request, now);
      if (fate === 'drop') socket.resetAndDestroy();
      else socket.write(fate === 'reject' ? REJECTED : FOUND);
    }
  }

  private note(request: number, now: number): void {
    if (this.leftAt[request] === 0) this.leftAt[request] = now;
    this.sockets[request] = null;
  }
}
