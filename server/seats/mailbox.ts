/**
 * Sends messages in order from one process to another. The processes exchange documents in an index of the results cluster. The sender
 * packs messages into numbered documents (*parcels*), and the reader reads the parcels by number.
 */
import { DynoError, messageOf, runError } from '../../common/problem';
import type { Bus, Parcel } from './bus';
import type { Codec } from './codec';

/** Number of parcels (documents with messages) that one request reads. After a delay of the reader, several parcels may be waiting. */
const AHEAD = 3;
/** Pause in ms before a parcel (a document with messages) that could not be stored is sent again. */
const AGAIN_MS = 250;

/** Returns the id of a parcel, a document with messages. `box`: name of the mailbox, unique within the run. */
const idOf = (box: string, number: number): string => `${box}-${number}`;

export const isOver = (error: unknown): boolean => error instanceof DynoError && error.code === 'seats.over';

/** The sending side of a mailbox. Stores documents with messages, one after the other. */
export class Outbox<T> {
  private waiting: T[] = [];
  private number = 0;
  private sending = false;
  private closed = false;

  constructor(
    private readonly bus: Bus,
    private readonly box: string,
    private readonly codec: Codec<T>,
    /** Called once if no more messages can be delivered: the index has been removed, or another process uses the same mailbox. */
    private readonly onBroken: (error: DynoError) => void,
  ) {}

  /** Sends a message soon, in one document with other waiting messages. The message waits while the results cluster cannot be reached. */
  post(message: T): void {
    if (this.closed) return;
    this.waiting.push(message);
    void this.send();
  }

  /** Removes the waiting messages for which `isNeedless` returns true, because a newer message replaces them. */
  withdraw(isNeedless: (message: T) => boolean): void {
    this.waiting = this.waiting.filter((message) => !isNeedless(message));
  }

  /** Drops all messages that have not been sent yet. */
  close(): void {
    this.closed = true;
    this.waiting = [];
  }

  private async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    // Messages that are posted in the same turn of the event loop are sent together.
    await Promise.resolve();
    while (this.waiting.length > 0 && !this.closed) {
      const messages = this.waiting;
      this.waiting = [];
      const parcel: Parcel = { kind: 'parcel', text: this.codec.pack(messages) };
      try {
        await this.deliver(parcel);
      } catch (error) {
        this.closed = true;
        this.onBroken(error as DynoError);
      }
      this.number += 1;
    }
    this.sending = false;
  }

  private async deliver(parcel: Parcel): Promise<void> {
    const id = idOf(this.box, this.number);
    for (;;) {
      if (this.closed) return;
      try {
        if (await this.bus.create(id, parcel)) return;
        // The document exists already: either the answer to an earlier try was lost, or another process uses the same mailbox.
        const there = (await this.bus.read<Parcel>([id])).get(id);
        if (there?.text === parcel.text) return;
        throw runError('seats.taken', this.bus.index, 'another process has taken the seat');
      } catch (error) {
        if (error instanceof DynoError && ['seats.over', 'seats.taken'].includes(error.code)) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }
}

/** The reading side of a mailbox. The caller reads the documents whose ids are {@link wanted}, and passes them to {@link take}. */
export class Inbox<T> {
  private number = 0;

  constructor(
    private readonly box: string,
    private readonly codec: Codec<T>,
  ) {}

  /** Returns the ids of the parcels (documents with messages) to read next. */
  wanted(): string[] {
    return Array.from({ length: AHEAD }, (_, place) => idOf(this.box, this.number + place));
  }

  /**
   * Returns the new messages, in the order in which they were sent. `read`: documents that the caller has read, by id. Throws a DynoError
   * if a document is invalid.
   */
  take(read: ReadonlyMap<string, unknown>): T[] {
    const messages: T[] = [];
    for (;;) {
      const parcel = read.get(idOf(this.box, this.number)) as Parcel | undefined;
      if (parcel === undefined) return messages;
      try {
        messages.push(...this.codec.unpack(parcel.text));
      } catch (error) {
        throw runError('seats.garbled', this.box, `a message of a seat cannot be read: ${messageOf(error)}`);
      }
      this.number += 1;
    }
  }

  /** Number of parcels, from the first one on, whose ids {@link done} has returned. */
  private forgotten = 0;
  /** Returns the ids of parcels that have been read since the last call, so that the caller can remove these documents. */
  done(): string[] {
    const ids = Array.from({ length: this.number - this.forgotten }, (_, place) =>
      idOf(this.box, this.forgotten + place),
    );
    this.forgotten = this.number;
    return ids;
  }
}
