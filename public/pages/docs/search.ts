/** Searches the pages of the documentation, in the browser: by page title, heading and text. */
import { anchorOf, titleOf } from './links';

export interface DocHit {
  /** Name of the page, as in its URL. */
  page: string;
  /** Title of the page. */
  title: string;
  /** Heading of the section; '' for the text before the first one. */
  heading: string;
  /** Anchor of the section in the URL, such as `#where-results-are-stored`; '' for the top of the page. */
  hash: string;
  /** Excerpt of the section's text around the first word that was found. */
  excerpt: string;
}

interface Section extends Omit<DocHit, 'excerpt'> {
  text: string;
}

/** Maximum number of search results that are shown. */
const MOST_HITS = 30;
/** Number of characters of an excerpt, about two lines. */
const EXCERPT = 180;

/** Returns the text of Markdown without its syntax. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/^\|(?:\s*:?-+:?\s*\|)+\s*$/gm, ' ')
    .replaceAll(/^```.*$/gm, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\\\|/g, '\u0000')
    .replaceAll(/[|`*]/g, ' ')
    .replaceAll('\u0000', '|')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Splits a page at its headings. A `#` in a code block is not a heading. */
export function sectionsOf(page: string, markdown: string): Section[] {
  const title = titleOf(markdown);
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, level, heading] = (!isCode && /^(#+) (.+)$/.exec(line)) || [];
    if (heading === undefined) sections.at(-1)!.lines.push(line);
    else if (level !== '#') sections.push({ heading, lines: [] });
  }
  return sections.map(({ heading, lines }) => ({
    page,
    title,
    heading: plain(heading),
    hash: heading === '' ? '' : `#${anchorOf(heading)}`,
    text: plain(lines.join('\n')),
  }));
}

/**
 * Returns the words to search for, in lower case. A final `s` is removed from words of more than three letters, so that plural and singular
 * find the same sections.
 */
export const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = found.length === 0 ? 0 : Math.min(...found);
  // The excerpt starts at the beginning of a word.
  const from = first < EXCERPT / 3 ? 0 : text.lastIndexOf(' ', first - EXCERPT / 3) + 1;
  const part = text.slice(from, from + EXCERPT);
  return `${from > 0 ? '… ' : ''}${part}${from + EXCERPT < text.length ? ' …' : ''}`;
}

/**
 * Returns the sections that match the query, the best first. Each word of the query must occur in the page's title, the section's heading
 * or its text. A match in a heading ranks higher than one in the text.
 */
export function searchDocs(sections: readonly Section[], query: string): DocHit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const scored = sections.flatMap((section) => {
    const [title, heading, text] = [section.title, section.heading, section.text].map((part) =>
      part.toLowerCase(),
    );
    let score = 0;
    for (const word of words) {
      const own =
        (heading!.includes(word) ? 8 : 0) + (title!.includes(word) ? 4 : 0) + (text!.includes(word) ? 1 : 0);
      if (own === 0) return [];
      score += own;
    }
    // If only the title of a page matches, the top of the page is shown instead of all its sections.
    const isTitleOnly =
      section.heading !== '' && words.every((word) => !heading!.includes(word) && !text!.includes(word));
    return isTitleOnly ? [] : [{ section, score: score + (section.heading === '' ? 1 : 0) }];
  });
  scored.sort((one, other) => other.score - one.score);
  return scored
    .slice(0, MOST_HITS)
    .map(({ section: { text, ...hit } }) => ({ ...hit, excerpt: excerptOf(text, words) }));
}
