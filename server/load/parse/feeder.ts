/**
 * Reads or generates the raw lines of a task once, and distributes them to the parser threads. It reads ahead only as many lines as the
 * parsers request.
 */
import type { MessagePort } from 'node:worker_threads';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { Batch, memoryOf, type PackedBatch } from '../sources/batch';
import { createLineSource } from '../sources/registry';
import type { DocumentSource } from '../sources/source';
import type { FeederJob, FromParserThread, FromFeeder, ToFeeder } from './messages';

/**
 * Number of lines, and of bytes, that are sent to a parser at once. Larger chunks would leave some parsers without lines at the end of the
 * source. Smaller chunks would need more messages.
 */
const CHUNK = { docs: 256, bytes: 256 * 1024 };

/** Time between two signs of life, in ms. */
const ALIVE_MS = 1000;

export class Feeder {
  private readonly alive: NodeJS.Timeout;
  private readonly source: DocumentSource;
  private readonly chunk = new Batch();
  private readonly wants: { port: MessagePort; spare: PackedBatch | null }[] = [];
  private lines = 0;
  private waiting = false;
  private over = false;

  constructor(
    { source, seed, seat }: FeederJob,
    private readonly parsers: readonly MessagePort[],
    private readonly send: (message: FromParserThread) => void,
  ) {
    this.alive = setInterval(() => {
      this.send({ kind: 'alive' });
    }, ALIVE_MS);
    this.alive.unref();
    this.source = createLineSource(source, {
      seed,
      share: seat,
      onBroken: (error) => {
        this.fail(error);
      },
    });
    for (const port of parsers) {
      port.on('message', ({ spare }: ToFeeder) => {
        this.wants.push({ port, spare });
        this.serve();
      });
    }
  }

  /** Stops reading. Sends a message with the number of lines that were read, and with how many of those were not sent to a parser. */
  stop(): void {
    clearInterval(this.alive);
    const kept = this.chunk.count;
    this.end();
    this.send({ kind: 'fed', lines: this.lines + kept, kept });
  }

  private serve(): void {
    if (this.waiting) return;
    while (this.wants.length > 0 && !this.over) {
      const filled = this.source.fill(this.chunk, CHUNK, Date.now());
      if (filled === 'waiting') {
        this.waiting = true;
        this.source.whenReady(() => {
          this.waiting = false;
          this.serve();
        });
        return;
      }
      if (this.chunk.count > 0) this.give();
      if (filled === 'ended') this.end();
    }
  }

  private give(): void {
    const { port, spare } = this.wants.shift()!;
    const first = this.lines + 1;
    this.lines += this.chunk.count;
    const lines = this.chunk.pack(spare);
    const message: FromFeeder = { kind: 'lines', lines, first };
    port.postMessage(message, memoryOf(lines));
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.source.close();
    const message: FromFeeder = { kind: 'end' };
    for (const port of this.parsers) port.postMessage(message);
  }

  private fail(error: unknown): void {
    const { kind, problems } =
      error instanceof DynoError ? error : runError('source.unreadable', '', messageOf(error), error);
    this.send({ kind: 'failed', problemKind: kind, problems: [...problems] });
  }
}
