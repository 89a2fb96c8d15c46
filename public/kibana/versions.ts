/** What differs between the versions of Kibana in the browser, all of it. */
import type { CoreStart, HttpAnswer, KibanaTheme, MountParameters, Observable } from './sdk';

/** Undefined where none tells: then it is light. */
export const themeOf = (
  core: CoreStart,
  params: Pick<MountParameters, 'theme$'>,
): Observable<KibanaTheme> | undefined => core.theme?.theme$ ?? params.theme$;

/** The answer with its body to be read; 8.3 has read it and tells what was in it. Undefined where there was none. */
export function unreadAnswer({ response, body }: HttpAnswer): Response | undefined {
  if (!response?.bodyUsed) return response;
  const { status, statusText, headers } = response;
  const text = /\bjson\b/.test(headers.get('content-type') ?? '') ? JSON.stringify(body) : String(body);
  return new Response(text, { status, statusText, headers });
}

/** The first with Borealis. */
const BOREALIS_MAJOR = 9;

/** Whether Kibana looks as its 8.x did; older ones do not say it, but their version does (`master` is the newest). */
export function looksAmsterdam({ theme, docLinks }: Pick<CoreStart, 'theme' | 'docLinks'>): boolean {
  const name = theme?.getTheme?.().name;
  if (name !== undefined) return name === 'amsterdam';
  const major = Number.parseInt(docLinks.DOC_LINK_VERSION, 10);
  return major < BOREALIS_MAJOR;
}
