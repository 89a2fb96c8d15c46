/** The tabs of a result, with their names in URLs. */

export const TABS = ['overview', 'latency', 'cluster', 'trials', 'setup'] as const;
export type Tab = (typeof TABS)[number];

const isTab = (text: string): text is Tab => TABS.some((tab) => tab === text);

/** Older links have no tab. If they contain one of these URL parameters, they lead to the tab that now uses this parameter. */
const CHOICES: Readonly<Record<string, Tab>> = {
  cells: 'latency',
  scale: 'latency',
  drift: 'trials',
  'over-time': 'trials',
};

/** Older links may have an anchor (`#...`) instead of a tab. The first of these patterns that matches the anchor determines the tab. */
const ANCHORS: readonly [word: RegExp, tab: Tab][] = [
  [/latenc|response|percentile/, 'latency'],
  [/cluster|limit|server|node/, 'cluster'],
  [/trial|order|course|line/, 'trials'],
  [/setup|provenance|definition|environment/, 'setup'],
];

/**
 * Returns the tab to which a URL leads. For older links without a tab, the anchor or another parameter determines it. Default: `overview`.
 */
export function tabOf({ search, hash }: { search: string; hash: string }): Tab {
  const query = new URLSearchParams(search);
  const named = query.get('tab') ?? '';
  if (isTab(named)) return named;
  const anchor = hash.slice(1).toLowerCase();
  const anchored = isTab(anchor) ? anchor : ANCHORS.find(([word]) => anchor !== '' && word.test(anchor))?.[1];
  if (anchored !== undefined) return anchored;
  return Object.entries(CHOICES).find(([name]) => query.has(name))?.[1] ?? 'overview';
}

/** Returns the query string of a URL that leads to `tab`. The other parameters in `search` are kept. */
export function searchOfTab(search: string, tab: Tab): string {
  const query = new URLSearchParams(search);
  query.set('tab', tab);
  // The overview needs no name, unless other parameters would lead to another tab.
  if (tab === 'overview' && !Object.keys(CHOICES).some((name) => query.has(name))) query.delete('tab');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
