/**
 * The search of the documentation: a field, and the results as links. The key `/` moves the focus to the field, and the arrow keys move it
 * through the links.
 */
import { EuiFieldSearch, EuiHighlight, EuiSpacer, EuiText } from '@elastic/eui';
import { useEffect, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { useQueryState } from '../../ui/query-state';
import { DOCS } from './pages';
import { searchDocs, sectionsOf, wordsOf, type DocHit } from './search';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

function Hit({ hit, words }: { hit: DocHit; words: string[] }): ReactNode {
  const { page, title, heading, hash, excerpt } = hit;
  return (
    <li css={{ '&&': { marginBlockEnd: 12 } }}>
      <AppLink to={`/docs/${page}${hash}`}>{heading === '' ? title : `${title}: ${heading}`}</AppLink>
      <EuiText size="xs" color="subdued">
        <EuiHighlight search={words} highlightAll>
          {excerpt}
        </EuiHighlight>
      </EuiText>
    </li>
  );
}

export function DocsSearch(): ReactNode {
  const [query, setQuery] = useQueryState('q');
  const sections = useMemo(() => Object.entries(DOCS).flatMap(([name, text]) => sectionsOf(name, text)), []);
  const hits = useMemo(() => searchDocs(sections, query), [sections, query]);
  const words = wordsOf(query);
  const field = useRef<HTMLInputElement | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  /**
   * Handles the keys of the search. The arrow keys move the focus through the results, and the up arrow returns from the first result to
   * the field. Enter in the field opens the first result, and Escape clears the field.
   */
  const move = (event: KeyboardEvent): void => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Escape') {
      setQuery('');
      field.current?.focus();
    } else if (event.key === 'Enter' && at < 0) links[0]?.click();
    else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') (at <= 0 ? field.current : links[at - 1])?.focus();
    else return;
    event.preventDefault();
  };
  const label = i18n.translate('dyno.docs.search', { defaultMessage: 'Search the documentation' });
  return (
    <div role="search" aria-label={label} onKeyDown={move}>
      <EuiFieldSearch
        fullWidth
        inputRef={(element) => (field.current = element)}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={i18n.translate('dyno.docs.searchPlaceholder', {
          defaultMessage: 'Search the documentation (press / to start)',
        })}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      <EuiText size="xs" color="subdued" role="status">
        {words.length === 0 ? null : (
          <p css={{ marginBlock: 8 }}>
            {hits.length === 0
              ? i18n.translate('dyno.docs.searchNone', {
                  defaultMessage: 'No section contains all of these words. Use fewer words, or other words.',
                })
              : i18n.translate('dyno.docs.searchFound', {
                  defaultMessage: '{count, plural, one {# section} other {# sections}}',
                  values: { count: hits.length },
                })}
          </p>
        )}
      </EuiText>
      {hits.length === 0 ? null : (
        <EuiText size="s">
          <ul ref={list} css={{ listStyle: 'none', '&&': { margin: 0 } }}>
            {hits.map((hit) => (
              <Hit key={`${hit.page}${hit.hash}${hit.heading}`} hit={hit} words={words} />
            ))}
          </ul>
        </EuiText>
      )}
      <EuiSpacer size="m" />
    </div>
  );
}
