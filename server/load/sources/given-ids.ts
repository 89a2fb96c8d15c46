/**
 * The documents that one load thread has sent with ids that Dyno generates. The documents are numbered from 0.
 *
 * Chooses for each action a new or an existing document. The choice depends only on the thread's random numbers and never on responses, so
 * that a run can be repeated exactly. An update may therefore be sent before its document has been stored.
 */
import type { Random } from '../../../common/random';

/**
 * Rate of the exponential distribution by which existing documents are chosen, if `recency` is 1. The higher the rate, the more often the
 * newest documents are chosen. The value is that of Rally (`RECENCY_SLOPE` in its esrally/track/params.py).
 */
const RECENCY_SLOPE = 30;
/** Maximum number of attempts at drawing a document that is not deleted. After that, the nearest older document is used. */
const MOST_TRIES = 16;
const DELETED = 0xffffffff;

export class GivenIds {
  private given = 0;
  /** Numbers of the documents that are not deleted, in their order. Deleted ones leave gaps. Null if no action deletes documents. */
  private places: Uint32Array | null;
  /** Number of elements of `places` that are in use, including gaps. */
  private used = 0;
  private gaps = 0;

  /**
   * `recency`: preference for the newest documents when an existing document is chosen, from 0 (none) to 1 (strong). `deletes`: whether
   * documents may be deleted.
   */
  constructor(
    private readonly random: Random,
    private readonly recency: number,
    deletes: boolean,
  ) {
    this.places = deletes ? new Uint32Array(1024) : null;
  }

  /** Whether at least one document exists. */
  get any(): boolean {
    return this.places === null ? this.given > 0 : this.used > this.gaps;
  }

  /** Returns the number of a new document. */
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
   * Returns the number of an existing document. At least one must exist.
   *
   * With a recency of 0, all documents are equally likely. Otherwise, the age of the document is exponentially distributed: 0 is the newest
   * document, 1 the oldest, and the rate is 30 x recency. Rally does the same (its docs: `recency` of the operation `bulk`).
   */
  again(): number {
    const { places } = this;
    if (places === null) return this.drawPlace(this.given);
    return places[this.livePlace(places)]!;
  }

  /** Chooses an existing document, deletes it, and returns its number. With a `recency` above 0, newer documents are more likely. */
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
    // If all recent documents are deleted, drawing again and again would take long.
    while (places[place] === DELETED) place = place === 0 ? this.used - 1 : place - 1;
    return place;
  }

  private drawPlace(of: number): number {
    const { random, recency } = this;
    if (recency === 0) return of <= DELETED ? random.below(of) : Math.floor(random.unit() * of);
    const age = Math.min(1, -Math.log(1 - random.unit()) / (RECENCY_SLOPE * recency));
    return Math.round((of - 1) * (1 - age));
  }

  /**
   * Removes the gaps that deleted documents leave. Called when more than half of the list are gaps, so that each deletion costs only a few
   * steps on average.
   */
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
