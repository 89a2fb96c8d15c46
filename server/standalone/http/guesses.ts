/**
 * Limits the guessing of passwords. After a few wrong passwords, a client must wait before each further attempt, and each wait is longer
 * than the previous one.
 */
import { isIP } from 'node:net';
import { inputError, type DynoError } from '../../../common/problem';

/**
 * Number of wrong passwords at which the first pause begins. Earlier wrong passwords cause no pause, because people mistype, and a page
 * sends several requests at once.
 */
const FREE = 5;
/** First pause, in ms. Each further wrong password doubles the pause. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** If a client sends no wrong password for this time, in ms, its earlier wrong passwords are forgotten. */
const FORGOTTEN_AFTER_MS = 30 * 60_000;
/** Maximum number of remembered clients (addresses or networks). Beyond it, the least recently seen client is forgotten. */
const MOST_SOURCES = 10_000;

interface Source {
  wrong: number;
  /** Time of the last wrong password, in ms since the epoch. */
  last: number;
  until: number;
}

export class Guesses {
  private readonly sources = new Map<string, Source>();

  /** `log`: receives a line for each pause. `now`: returns the time in ms since the epoch. */
  constructor(
    private readonly log: (text: string) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Must be called before a password is checked. While the client has to wait, throws a DynoError `request.too-many-guesses`, whether the
   * password is right or wrong.
   */
  admit(address: string): void {
    const { until = 0 } = this.sources.get(sourceOf(address)) ?? {};
    const left = until - this.now();
    if (left > 0) throw tooMany(Math.ceil(left / 1000));
  }

  /** Counts a wrong password. Must be called after each wrong password. */
  wrong(address: string): void {
    const source = sourceOf(address);
    const now = this.now();
    const known = this.sources.get(source);
    const before = known && now - known.last < FORGOTTEN_AFTER_MS ? known.wrong : 0;
    const wrong = before + 1;
    const pauseMs =
      wrong < FREE ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(30, wrong - FREE));
    // The entry is added again at the end of the map, so that the least recently seen source is the first one.
    this.sources.delete(source);
    this.sources.set(source, { wrong, last: now, until: now + pauseMs });
    if (this.sources.size > MOST_SOURCES) this.sources.delete(this.sources.keys().next().value!);
    if (pauseMs > 0)
      this.log(
        `${wrong} wrong passwords in a row from ${source}: the next attempt is possible in ${pauseMs / 1000} s`,
      );
  }

  /** Forgets the wrong passwords of the client. Must be called after a right password. */
  right(address: string): void {
    this.sources.delete(sourceOf(address));
  }
}

const tooMany = (seconds: number): DynoError =>
  inputError('request.too-many-guesses', '', 'too many wrong passwords came from this address', {
    allowed: `another try in ${seconds} s`,
  });

/**
 * Returns the address by which a client is remembered: its IPv4 address, or the /64 network of its IPv6 address, because one machine may
 * have all addresses of such a network.
 */
function sourceOf(address: string): string {
  const [host] = address.replace(/^::ffff:(?=\d+\.)/, '').split('%') as [string];
  if (isIP(host) !== 6) return host;
  const [head, tail] = host.split('::') as [string, string | undefined];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  return `${[...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last].slice(0, 4).join(':')}::/64`;
}
