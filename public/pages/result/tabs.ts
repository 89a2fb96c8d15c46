/** The tabs of a result, with their names in addresses. */

export const TABS = ['overview', 'latency', 'cluster', 'trials', 'setup'] as const;
export type Tab = (typeof TABS)[number];

const isTab = (text: string): text is Tab => TABS.some((tab) => tab === text);

/** Parameters of links from versions without tabs, each with the only tab to which it applies. */
const CHOICES: Readonly<Record<string, Tab>> = {
  cells: 'latency',
  scale: 'latency',
  drift: 'trials',
  'over-time': 'trials',
};

/** Patterns of the names of anchors. An anchor whose name contains such a word opens the given tab. */
const ANCHORS: readonly [word: RegExp, tab: Tab][] = [
  [/latenc|response|percentile/, 'latency'],
  [/cluster|limit|server|node/, 'cluster'],
  [/trial|order|course|line/, 'trials'],
  [/setup|provenance|definition|environment/, 'setup'],
];

/** Returns the tab of an address. Links without a tab lead to the tab of their other parameters, else to the overview. */
export function tabOf({ search, hash }: { search: string; hash: string }): Tab {
  const query = new URLSearchParams(search);
  const named = query.get('tab') ?? '';
  if (isTab(named)) return named;
  const anchor = hash.slice(1).toLowerCase();
  const anchored = isTab(anchor) ? anchor : ANCHORS.find(([word]) => anchor !== '' && word.test(anchor))?.[1];
  if (anchored !== undefined) return anchored;
  return Object.entries(CHOICES).find(([name]) => query.has(name))?.[1] ?? 'overview';
}

/** Returns the query of an address that leads to `tab` and keeps all other parameters. */
export function searchOfTab(search: string, tab: Tab): string {
  const query = new URLSearchParams(search);
  query.set('tab', tab);
  // The overview needs no name, unless other parameters would lead to another tab.
  if (tab === 'overview' && !Object.keys(CHOICES).some((name) => query.has(name))) query.delete('tab');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
