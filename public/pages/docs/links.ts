/** What makes pages of the app out of files that link to each other. */

/** The first heading of `markdown`, as plain text. */
export const titleOf = (markdown: string): string =>
  (/^# (.+)$/m.exec(markdown)?.[1] ?? '').replaceAll('`', '');

/** `## Where results are stored` is found by `#where-results-are-stored`, as on GitHub. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/**
 * The text of page `name` without its title, its links leading to pages of `names` by `hrefOf(name, hash)`; what lies
 * elsewhere in the repository is not here, and its link is its text.
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
