/** Turns Markdown files that link to each other into pages of the app. */

/** The first heading of `markdown`, as plain text. */
export const titleOf = (markdown: string): string =>
  (/^# (.+)$/m.exec(markdown)?.[1] ?? '').replaceAll('`', '');

/** `markdown` without its Mermaid diagrams, which the app cannot draw. */
export const withoutDiagrams = (markdown: string): string =>
  markdown.replaceAll(/^```mermaid\n[\s\S]*?\n```\n\n?/gm, '');

/** `## Where results are stored` is found by `#where-results-are-stored`, as on GitHub. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/**
 * Text of page `name` without its title. Links to pages of `names` lead to `hrefOf(name, hash)`. Links to other files of the
 * repository become plain text, because the app lacks those files.
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
