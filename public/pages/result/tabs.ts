/** The tabs of a result, by which its address names them. */

export const TABS = ['overview', 'latency', 'cluster', 'trials', 'setup'] as const;
export type Tab = (typeof TABS)[number];

const isTab = (text: string): text is Tab => TABS.some((tab) => tab === text);

/** Links of versions without tabs: what they choose appears in one tab only. */
const CHOICES: Readonly<Record<string, Tab>> = {
  cells: 'latency',
  scale: 'latency',
  drift: 'trials',
  'over-time': 'trials',
};

/** Words in an anchor, by the tab that shows such a part. */
const ANCHORS: readonly [word: RegExp, tab: Tab][] = [
  [/latenc|response|percentile/, 'latency'],
  [/cluster|limit|server|node/, 'cluster'],
  [/trial|order|course|line/, 'trials'],
  [/setup|provenance|definition|environment/, 'setup'],
];

/** The tab of an address; links without one lead to the tab that shows what they choose, else to the overview. */
export function tabOf({ search, hash }: { search: string; hash: string }): Tab {
  const query = new URLSearchParams(search);
  const named = query.get('tab') ?? '';
  if (isTab(named)) return named;
  const anchor = hash.slice(1).toLowerCase();
  const anchored = isTab(anchor) ? anchor : ANCHORS.find(([word]) => anchor !== '' && word.test(anchor))?.[1];
  if (anchored !== undefined) return anchored;
  return Object.entries(CHOICES).find(([name]) => query.has(name))?.[1] ?? 'overview';
}

/** The query of an address that leads to `tab`, with all other choices. */
export function searchOfTab(search: string, tab: Tab): string {
  const query = new URLSearchParams(search);
  query.set('tab', tab);
  // Without choices that would lead elsewhere, the overview needs no name.
  if (tab === 'overview' && !Object.keys(CHOICES).some((name) => query.has(name))) query.delete('tab');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
