/** Slows down who guesses the password: after a few wrong ones, each source may try one at a time, after growing pauses. */
import { isIP } from 'node:net';
import { inputError, type DynoError } from '../../../common/problem';

/** Wrong passwords before the first pause: people mistype, and pages ask for several things at once. */
const FREE = 5;
/** The first pause; each further wrong password doubles it, ms. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A source that was quiet for so long begins anew, ms. */
const FORGOTTEN_AFTER_MS = 30 * 60_000;
/** Sources that are remembered; of more, those that were seen least recently are forgotten. */
const MOST_SOURCES = 10_000;

interface Source {
  wrong: number;
  /** Ms since the epoch. */
  last: number;
  until: number;
}

export class Guesses {
  private readonly sources = new Map<string, Source>();

  /** `log` is told of each pause; `now` gives ms since the epoch. */
  constructor(
    private readonly log: (text: string) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Before a password is looked at. Throws a DynoError `request.too-many-guesses` while its source has to wait: a right one is
   * not told from a wrong one then.
   */
  admit(address: string): void {
    const { until = 0 } = this.sources.get(sourceOf(address)) ?? {};
    const left = until - this.now();
    if (left > 0) throw tooMany(Math.ceil(left / 1000));
  }

  /** After a wrong one. */
  wrong(address: string): void {
    const source = sourceOf(address);
    const now = this.now();
    const known = this.sources.get(source);
    const before = known && now - known.last < FORGOTTEN_AFTER_MS ? known.wrong : 0;
    const wrong = before + 1;
    const pauseMs =
      wrong < FREE ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(30, wrong - FREE));
    // The least recent is the first.
    this.sources.delete(source);
    this.sources.set(source, { wrong, last: now, until: now + pauseMs });
    if (this.sources.size > MOST_SOURCES) this.sources.delete(this.sources.keys().next().value!);
    if (pauseMs > 0)
      this.log(
        `${wrong} wrong passwords in a row from ${source}: the next one is looked at in ${pauseMs / 1000} s`,
      );
  }

  /** After the right one. */
  right(address: string): void {
    this.sources.delete(sourceOf(address));
  }
}

const tooMany = (seconds: number): DynoError =>
  inputError('request.too-many-guesses', '', 'too many wrong passwords came from this address', {
    allowed: `another try in ${seconds} s`,
  });

/** An address, or of IPv6 the network of 64 bits that one machine may have whole. */
function sourceOf(address: string): string {
  const [host] = address.replace(/^::ffff:(?=\d+\.)/, '').split('%') as [string];
  if (isIP(host) !== 6) return host;
  const [head, tail] = host.split('::') as [string, string | undefined];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  return `${[...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last].slice(0, 4).join(':')}::/64`;
}
