/**
 * A target of known behaviour: takes any search, answers as a {@link Behaviour} says, and logs when each request had arrived
 * whole and when its answer left, by the clock that all processes of a machine share. Nothing is allocated for a request.
 */
import { availableParallelism } from 'node:os';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createRandom, type Random } from '../../common/random';
import { behaviourNamed, FATES, type Behaviour, type BehaviourName } from './behaviours';
import { tick } from '../load/timing/clock';
import { Departures } from './departures';

/** Requests that a log holds. */
const MOST = 1 << 20;

/** What the target knows of each request, in the order of arrival; times in ms of `process.hrtime`. */
export interface TargetLog {
  arrivals: Float64Array;
  /** When the answer left, or the connection ended; 0 where neither has happened. */
  departures: Float64Array;
  /** Place in `FATES`. */
  fates: Uint8Array;
  /** Of the machine's cores that this process had since it behaves so, in [0, 1]. */
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

/** Bytes of a request's head that are looked at for its end. */
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

  /** `entry`: see {@link Departures}. */
  constructor(entry: string) {
    this.departures = new Departures(entry, MOST, () => {
      this.depart();
    });
    this.server = createServer({ noDelay: true }, (socket) => {
      this.serve(socket);
    });
  }

  /** Resolves to the port, on this machine alone. */
  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  /** From now on it behaves so, with an empty log. */
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

  /** One request at a time on a connection: its head, and as many bytes as that says. */
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
      // Whoever waited for an answer that never came has given up.
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
    // The first stall comes after a while: what opens the load shall not meet it.
    return into < stall.everyMs - stall.forMs ? moment : moment - into + stall.everyMs;
  }

  private depart(): void {
    for (;;) {
      const now = tick();
      const request = this.departures.take(now);
      if (request < 0) return;
      const socket = this.sockets[request];
      // The sender has given up, or another behaviour has begun.
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
