/** Prepares Markdown files of the documentation for the app. Links between the files become links between pages of the app. */

/** Returns the first heading of `markdown` as plain text. */
export const titleOf = (markdown: string): string =>
  (/^# (.+)$/m.exec(markdown)?.[1] ?? '').replaceAll('`', '');

/** Returns `markdown` without its Mermaid diagrams, which the app cannot draw. */
export const withoutDiagrams = (markdown: string): string =>
  markdown.replaceAll(/^```mermaid\n[\s\S]*?\n```\n\n?/gm, '');

/** Returns the anchor of a heading as on GitHub: `#where-results-are-stored` for `## Where results are stored`. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/**
 * Returns the text of page `name` without its title. Links to the pages in `names` get the URL `hrefOf(page, hash)`. Links to other files
 * of the repository become plain text, because the app does not contain those files.
 */
export function pageText(
  markdown: string,
  name: string,
  names: readonly string[],
  hrefOf: (name: string, hash: string) => string,
): string {
  return markdown
    .replace(/^# .+\n/, '')
    .replaceAll(/\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)/g, (whole, text: string, file: string, hash = '') => {
      if (/^https?:/.test(file)) return whole;
      const to = file === '' ? name : (/^([\w-]+)\.md$/.exec(file)?.[1] ?? '');
      return names.includes(to) ? `[${text}](${hrefOf(to, hash as string)})` : text;
    });
}
