/**
 * The documents that one share of an ingestion has given ids to, by their numbers from 0 on: which one an action takes, a new
 * one or one of those. All is drawn from the share's own random numbers when a document is written, never from answers, so
 * that a run repeats: an update may well leave while the document itself is still on its way.
 */
import type { Random } from '../../../common/random';

/** How steeply the youngest are preferred at a recency of 1, as Rally has it (`RECENCY_SLOPE` in its esrally/track/params.py). */
const RECENCY_SLOPE = 30;
/** Deleted documents that are drawn one after the other before the nearest older one is taken. */
const MOST_TRIES = 16;
const DELETED = 0xffffffff;

export class GivenIds {
  private given = 0;
  /** Where documents are deleted: the numbers of those that are not, in their order, with gaps; null where none is. */
  private places: Uint32Array | null;
  /** Used places, gaps included. */
  private used = 0;
  private gaps = 0;

  /** `recency` in [0, 1]: see {@link GivenIds.again}. */
  constructor(
    private readonly random: Random,
    private readonly recency: number,
    deletes: boolean,
  ) {
    this.places = deletes ? new Uint32Array(1024) : null;
  }

  /** Whether there is a document to take again. */
  get any(): boolean {
    return this.places === null ? this.given > 0 : this.used > this.gaps;
  }

  /** The number of a new document. */
  next(): number {
    const number = this.given;
    this.given += 1;
    const { places } = this;
    if (places === null) return number;
    if (number >= DELETED) throw new RangeError('a load thread cannot delete among more than 4294967295 ids');
    if (this.used === places.length) {
      this.places = new Uint32Array(places.length * 2);
      this.places.set(places);
    }
    this.places![this.used] = number;
    this.used += 1;
    return number;
  }

  /**
   * The number of a document that was given out before and is not deleted; there must be one. Without recency each is as
   * likely as any other. With it, a place is drawn that lies a share of all ids before the newest: an exponential random
   * number of rate 30 x recency, 1 at most. So does Rally (its docs: `recency` of the operation `bulk`).
   */
  again(): number {
    const { places } = this;
    if (places === null) return this.drawPlace(this.given);
    return places[this.livePlace(places)]!;
  }

  /** As {@link again}, and it is deleted: nobody gets it any more. */
  remove(): number {
    const places = this.places!;
    const place = this.livePlace(places);
    const number = places[place]!;
    places[place] = DELETED;
    this.gaps += 1;
    if (this.gaps * 2 > this.used) this.close(places);
    return number;
  }

  private livePlace(places: Uint32Array): number {
    let place = this.drawPlace(this.used);
    for (let tries = 1; places[place] === DELETED && tries < MOST_TRIES; tries += 1)
      place = this.drawPlace(this.used);
    // Where the newest are sought and all of them are deleted, the drawing would go on for long.
    while (places[place] === DELETED) place = place === 0 ? this.used - 1 : place - 1;
    return place;
  }

  private drawPlace(of: number): number {
    const { random, recency } = this;
    if (recency === 0) return of <= DELETED ? random.below(of) : Math.floor(random.unit() * of);
    const age = Math.min(1, -Math.log(1 - random.unit()) / (RECENCY_SLOPE * recency));
    return Math.round((of - 1) * (1 - age));
  }

  /** Closes the gaps. At most once for as many deletions as there are documents: a few steps for each. */
  private close(places: Uint32Array): void {
    let kept = 0;
    for (let place = 0; place < this.used; place += 1) {
      const number = places[place]!;
      if (number === DELETED) continue;
      places[kept] = number;
      kept += 1;
    }
    this.used = kept;
    this.gaps = 0;
  }
}
