/**
 * One parser. It receives raw lines from the thread that reads them, and builds bulks. It sends each bulk to a load thread whose queue is
 * not full.
 */
import type { MessagePort } from 'node:worker_threads';
import { lineExample } from '../../../common/measurement/replay';
import { MOST_UNPARSED } from '../../../common/measurement/parse';
import { LoadClock, type LoadStart } from '../timing/clock';
import { Phases } from '../timing/phases';
import { Batch, memoryOf, type PackedBatch } from '../sources/batch';
import { ThreadCpu } from '../instrument/thread-cpu';
import { LineParser } from './line-parser';
import type {
  FromParserThread,
  FromFeeder,
  FromRenderer,
  ToRenderer,
  ParserCounts,
  ParserJob,
  ToFeeder,
} from './messages';
import { StateTimes, type ParserState } from './state-times';

/** Maximum number of chunks that wait for a parser. */
const CHUNKS = 2;
/** Maximum time of parsing without a break, in ms. In the break, the thread handles messages. */
const SLICE_MS = 2;
/** Time between two signs of life, in ms. */
const ALIVE_MS = 1000;

/** A load thread that receives bulks from this parser. */
interface Sender {
  port: MessagePort;
  /** One element for each bulk that the load thread's queue can still take: used memory for the bulk, or null if new memory is needed. */
  places: (PackedBatch | null)[];
}

/** A chunk of lines. `next`: position of the first line that is not yet parsed. */
interface Chunk {
  lines: Batch;
  first: number;
  next: number;
}

export class Parser {
  private readonly clock: LoadClock;
  private readonly cpu = new ThreadCpu();
  private readonly times: StateTimes;
  private readonly parser: LineParser;
  private readonly senders: Sender[];
  private readonly limit: { docs: number; bytes: number };
  private readonly chunks: Chunk[] = [];
  private readonly bulk = new Batch();
  /** A document that did not fit into the previous bulk. It becomes the first document of the next bulk. */
  private held: Uint8Array | null = null;
  private full = false;
  private sourceEnded = false;
  private ended = false;
  private stopping = false;
  private isReported = false;
  private scheduled = false;
  private readonly alive: NodeJS.Timeout;
  private readonly counts: ParserCounts = {
    parsed: 0,
    unparsed: 0,
    waiting: 0,
    documents: 0,
    reasons: {},
    examples: [],
  };

  constructor(
    private readonly job: ParserJob,
    private readonly feeder: MessagePort,
    senders: readonly MessagePort[],
    private readonly send: (message: FromParserThread) => void,
  ) {
    this.clock = new LoadClock(job.clockOffsetMs);
    this.times = new StateTimes(new Phases(job.warmupMs, job.measureMs), this.cpu.ms);
    this.parser = new LineParser(job.parse, job.actionLine);
    this.limit = { docs: Infinity, bytes: Infinity, ...job.bulk };
    this.senders = senders.map((port) => {
      const sender: Sender = { port, places: [] };
      port.on('message', ({ spare }: ToRenderer) => {
        sender.places.push(spare);
        this.wake();
      });
      return sender;
    });
    feeder.on('message', (message: FromFeeder) => {
      this.hear(message);
    });
    for (let chunk = 0; chunk < CHUNKS; chunk += 1) this.want(null);
    this.alive = setInterval(() => {
      this.send({ kind: 'alive' });
    }, ALIVE_MS);
  }

  /** Sets the start of the load. */
  begin(start: LoadStart): void {
    this.clock.begin(start);
  }

  /** Sets the end of the measured phase, in ms since the start of the load. */
  endMeasure(until: number): void {
    this.times.endMeasure(until);
  }

  /** Stops parsing. Once the last lines have arrived, reports the counts and times of this parser to the process's main thread. */
  stop(): void {
    this.stopping = true;
    for (const { lines, next } of this.chunks.splice(0)) this.counts.waiting += lines.count - next;
    this.conclude();
  }

  private hear(message: FromFeeder): void {
    if (message.kind === 'end') this.sourceEnded = true;
    else if (this.stopping) this.counts.waiting += message.lines.count;
    else {
      const lines = new Batch();
      lines.unpack(message.lines);
      this.chunks.push({ lines, first: message.first, next: 0 });
    }
    this.conclude();
    this.wake();
  }

  private conclude(): void {
    if (!this.stopping || !this.sourceEnded || this.isReported) return;
    this.isReported = true;
    clearInterval(this.alive);
    this.send({ kind: 'parsed', counts: this.counts, times: this.times.outcome(this.clock.now()) });
    this.cpu.close();
  }

  private wake(): void {
    if (this.scheduled || this.stopping || this.ended) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (!this.stopping) this.step();
    });
  }

  private step(): void {
    if (this.full && !this.handOver()) {
      this.enter('blocked');
      return;
    }
    const chunk = this.chunks[0];
    if (chunk !== undefined) {
      this.enter('busy');
      this.parse(chunk);
      this.wake();
    } else if (!this.sourceEnded) this.enter('hungry');
    else if (this.bulk.count > 0 || this.held !== null) {
      this.open();
      this.full = true;
      this.wake();
    } else this.end();
  }

  /** Parses lines of the chunk until the bulk is full, the chunk is empty, or messages must be handled. */
  private parse(chunk: Chunk): void {
    const { bulk, limit, clock, parser, job } = this;
    const { lines } = chunk;
    const { bytes, starts, count, length } = lines;
    parser.setTime(clock.targetTime());
    this.open();
    const until = clock.now() + SLICE_MS;
    for (let begun = clock.now(); chunk.next < count && begun < until && !this.full;) {
      const place = chunk.next;
      const start = starts[place]!;
      const end = place + 1 < count ? starts[place + 1]! : length;
      job.progress[0] = chunk.first + place;
      const documents = bulk.count;
      const why = parser.append(bytes, start, end, bulk);
      this.counts.documents += bulk.count - documents;
      if (why === '') this.counts.parsed += 1;
      else this.note(why, chunk.first + place, bytes.toString('utf8', start, end));
      chunk.next += 1;
      if (bulk.length > limit.bytes && bulk.count > 1) this.held = bulk.removeLast();
      this.full = this.held !== null || bulk.count >= limit.docs || bulk.length >= limit.bytes;
      const now = clock.now();
      this.times.lineDone(now, now - begun);
      begun = now;
    }
    if (chunk.next < count) return;
    this.chunks.shift();
    this.want(lines.pack(null));
  }

  /** Begins a bulk with the document that did not fit into the previous one. */
  private open(): void {
    if (this.held === null || this.full) return;
    this.bulk.reserve(this.held.length);
    this.bulk.begin();
    this.bulk.append(this.held);
    this.held = null;
  }

  private note(why: string, line: number, text: string): void {
    const { reasons, examples } = this.counts;
    this.counts.unparsed += 1;
    reasons[why] = (reasons[why] ?? 0) + 1;
    if (examples.length < MOST_UNPARSED) examples.push(lineExample(line, why, text.trimEnd()));
  }

  /** Sends the bulk to the load thread whose queue has the most room. Returns false if all queues are full. */
  private handOver(): boolean {
    let freest: Sender | null = null;
    for (const sender of this.senders)
      if (sender.places.length > (freest?.places.length ?? 0)) freest = sender;
    if (freest === null) return false;
    const bulk = this.bulk.pack(freest.places.pop()!);
    const message: FromRenderer = { kind: 'bulk', bulk };
    freest.port.postMessage(message, memoryOf(bulk));
    this.full = false;
    return true;
  }

  private end(): void {
    this.ended = true;
    this.enter('ended');
    this.times.endMeasure(this.clock.now());
    const message: FromRenderer = { kind: 'end' };
    for (const { port } of this.senders) port.postMessage(message);
  }

  private want(spare: PackedBatch | null): void {
    const message: ToFeeder = { spare };
    this.feeder.postMessage(message, spare === null ? [] : memoryOf(spare));
  }

  private enter(state: ParserState): void {
    this.times.enter(state, this.clock.now());
  }
}
