/**
 * The web site whose access logs are generated, and its traffic. A few clients and pages cause most of the traffic (Zipf's law). Response
 * sizes have a log-normal distribution. The shares of status codes and browsers are similar to those in public logs.
 */
import { createRandom, type Random } from '../random';
import { choice, text, weightedDraw, type Draw, type Part } from './template';

const CLIENTS = 4000;
const PAGES = 3000;
const SIZES = 400;

const SECTIONS = [
  'blog',
  'docs',
  'images',
  'css',
  'js',
  'api/v1',
  'products',
  'forum',
  'downloads',
  'search',
  'news',
  'account',
];
const WORDS = [
  'index', 'install', 'guide', 'logo', 'style', 'main', 'login', 'report', 'status', 'geeking', 'xdotool', 'presentations',
  'rss', 'cart', 'order', 'profile', 'help', 'archive', 'release', 'tutorial', 'metrics', 'cluster', 'shard', 'replica',
]; // oxfmt-ignore
const ENDINGS: Record<string, string> = {
  images: '.png',
  css: '.css',
  js: '.js',
  docs: '.html',
  blog: '.html',
};
const REFERRERS = [
  'google.com/search',
  'bing.com/search',
  'duckduckgo.com/',
  'reddit.com/r/elasticsearch',
  'news.ycombinator.com/',
  'github.com/',
];

interface Status {
  code: number;
  weight: number;
  /** Median size of the response body, in bytes; 0 for a response without a body. */
  size: number;
}
const STATUSES: readonly Status[] = [
  { code: 200, weight: 880, size: 9000 },
  { code: 206, weight: 8, size: 60_000 },
  { code: 301, weight: 22, size: 320 },
  { code: 302, weight: 14, size: 300 },
  { code: 304, weight: 44, size: 0 },
  { code: 403, weight: 4, size: 290 },
  { code: 404, weight: 24, size: 290 },
  { code: 500, weight: 3, size: 620 },
  { code: 503, weight: 1, size: 320 },
];

const zipf = (size: number): number[] => Array.from({ length: size }, (_, rank) => 1 / (rank + 1));
const pick = <T>(list: readonly T[], random: Random): T => list[random.below(list.length)]!;
/**
 * A random choice among several items, such as pages. `draw`: draws the index of an item. `texts`: for each property of an item, such as
 * the path of a page, the list of its values for all items.
 */
export interface Drawn<K extends string> {
  draw: Draw;
  texts: Record<K, string[]>;
}

function clients(random: Random): Drawn<'address'> {
  const address = Array.from({ length: CLIENTS }, () =>
    [1 + random.below(223), random.below(256), random.below(256), 1 + random.below(254)].join('.'),
  );
  return { draw: weightedDraw('client', zipf(CLIENTS)), texts: { address } };
}

function pages(random: Random): Drawn<'verb' | 'path'> {
  const all = Array.from({ length: PAGES }, (_, rank) => {
    const section = pick(SECTIONS, random);
    const query = section === 'search' ? `?q=${pick(WORDS, random)}+${pick(WORDS, random)}` : '';
    const path = `/${section}/${pick(WORDS, random)}-${pick(WORDS, random)}-${rank}${ENDINGS[section] ?? ''}${query}`;
    const verb = ['api/v1', 'account'].includes(section) && random.below(3) === 0 ? 'POST' : 'GET';
    return { verb, path };
  });
  all[0] = { verb: 'GET', path: '/' };
  return {
    draw: weightedDraw('page', zipf(PAGES)),
    texts: { verb: all.map(({ verb }) => verb), path: all.map(({ path }) => path) },
  };
}

/**
 * Returns a random choice of the status and size of a response. The two are chosen together, because the size depends on the status: a
 * redirect is short, and a 304 has no body.
 */
function answers(random: Random): Drawn<'status' | 'bytes'> {
  const all = STATUSES.flatMap(({ code, weight, size }) => {
    const sizes = size < 1000 ? 1 : SIZES;
    return Array.from({ length: sizes }, () => {
      const normal = Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
      return {
        status: String(code),
        weight: weight / sizes,
        bytes: String(sizes === 1 ? size : Math.round(size * Math.exp(normal))),
      };
    });
  });
  return {
    draw: weightedDraw(
      'answer',
      all.map(({ weight }) => weight),
    ),
    texts: { status: all.map(({ status }) => status), bytes: all.map(({ bytes }) => bytes) },
  };
}

function agents(): Drawn<'agent'> {
  const systems = [
    'Windows NT 10.0; Win64; x64',
    'Macintosh; Intel Mac OS X 10_15_7',
    'X11; Linux x86_64',
    'Linux; Android 14; Pixel 8',
  ];
  const agent: string[] = [];
  for (let version = 120; version < 132; version += 1) {
    for (const system of systems) {
      agent.push(
        `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
      );
      agent.push(`Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`);
    }
  }
  agent.push('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'curl/8.5.0');
  return { draw: weightedDraw('agent', zipf(agent.length)), texts: { agent } };
}

function referrers(random: Random): Drawn<'referrer'> {
  const referrer = ['-', ...REFERRERS.map((site) => `https://www.${site}`)];
  for (let i = 0; i < 120; i += 1)
    referrer.push(`https://www.example.com/${pick(SECTIONS, random)}/${pick(WORDS, random)}`);
  // About two fifths of all requests have no referrer.
  return { draw: weightedDraw('referrer', [3, ...zipf(referrer.length - 1)]), texts: { referrer } };
}

export interface ApacheSite {
  client: Drawn<'address'>;
  page: Drawn<'verb' | 'path'>;
  answer: Drawn<'status' | 'bytes'>;
  agent: Drawn<'agent'>;
  referrer: Drawn<'referrer'>;
  version: Drawn<'version'>;
}

/** Returns the site. The site is always the same; the seed of the experiment only changes its traffic. */
export function apacheSite(): ApacheSite {
  const random = createRandom(0xa9ac4e);
  return {
    client: clients(random),
    page: pages(random),
    answer: answers(random),
    agent: agents(),
    referrer: referrers(random),
    version: { draw: weightedDraw('version', [70, 25, 5]), texts: { version: ['1.1', '2.0', '1.0'] } },
  };
}

/**
 * Returns the parts of one log line (fixed texts and random choices), without a line feed. `written`: encodes a text, for example for a
 * JSON string.
 */
export function accessLine(
  { client, page, answer, agent, referrer, version }: ApacheSite,
  written: (text: string) => string,
): Part[] {
  const fixed = (value: string): Part => text(written(value));
  const one = <K extends string>({ draw, texts }: Drawn<K>, key: K): Part =>
    choice(draw, texts[key].map(written));
  return [
    one(client, 'address'),
    fixed(' - - ['),
    { kind: 'time', format: 'clf' },
    fixed('] "'),
    one(page, 'verb'),
    fixed(' '),
    one(page, 'path'),
    fixed(' HTTP/'),
    one(version, 'version'),
    fixed('" '),
    one(answer, 'status'),
    fixed(' '),
    one(answer, 'bytes'),
    fixed(' "'),
    one(referrer, 'referrer'),
    fixed('" "'),
    one(agent, 'agent'),
    fixed('"'),
  ];
}
