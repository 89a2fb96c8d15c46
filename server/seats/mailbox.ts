/** Messages in their order, over a bus: what one side posts in parcels, the other reads by their numbers. */
import { DynoError, messageOf, runError } from '../../common/problem';
import type { Bus, Parcel } from './bus';
import type { Codec } from './codec';

/** Parcels that are asked for at once: more than one where the reader was held up. */
const AHEAD = 3;
/** Before a parcel that could not be delivered is sent again, ms. */
const AGAIN_MS = 250;

/** `box`: unlike all others of the bus. */
const idOf = (box: string, number: number): string => `${box}-${number}`;

export const isOver = (error: unknown): boolean => error instanceof DynoError && error.code === 'seats.over';

/** One side's messages to another; parcels leave one after the other. */
export class Outbox<T> {
  private waiting: T[] = [];
  private number = 0;
  private sending = false;
  private closed = false;

  constructor(
    private readonly bus: Bus,
    private readonly box: string,
    private readonly codec: Codec<T>,
    /** Nothing more can be delivered: the bus is gone, or somebody else posts as this one. Called once. */
    private readonly onBroken: (error: DynoError) => void,
  ) {}

  /** Sent soon, with what else waits. A reader that is not there, or a cluster that is away, is waited for. */
  post(message: T): void {
    if (this.closed) return;
    this.waiting.push(message);
    void this.send();
  }

  /** Of messages that wait: those that a newer one makes needless. */
  withdraw(isNeedless: (message: T) => boolean): void {
    this.waiting = this.waiting.filter((message) => !isNeedless(message));
  }

  /** Whatever was not sent is dropped. */
  close(): void {
    this.closed = true;
    this.waiting = [];
  }

  private async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    // What is posted in the same turn leaves together.
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
        // An answer was lost, or somebody else is at work in this one's name.
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

/** The other side of {@link Outbox}: what to ask the bus for, and what its answer means. */
export class Inbox<T> {
  private number = 0;

  constructor(
    private readonly box: string,
    private readonly codec: Codec<T>,
  ) {}

  /** Ids to be read. */
  wanted(): string[] {
    return Array.from({ length: AHEAD }, (_, place) => idOf(this.box, this.number + place));
  }

  /** The messages that are new in `read`, in their order. Throws a DynoError where a parcel is none. */
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

  /** Ids of all that was taken and has not been named here before: they may go. */
  private forgotten = 0;
  done(): string[] {
    const ids = Array.from({ length: this.number - this.forgotten }, (_, place) =>
      idOf(this.box, this.forgotten + place),
    );
    this.forgotten = this.number;
    return ids;
  }
}
