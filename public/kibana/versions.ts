/** All differences between versions of Kibana in the browser. */
import type { CoreStart, HttpAnswer, KibanaTheme, MountParameters, Observable } from './sdk';

/** Returns the theme; undefined if Kibana does not report it, which means that it is light. */
export const themeOf = (
  core: CoreStart,
  params: Pick<MountParameters, 'theme$'>,
): Observable<KibanaTheme> | undefined => core.theme?.theme$ ?? params.theme$;

/** Returns the answer with an unread body. 8.3 has parsed the body already, so it is serialised again. Undefined without an answer. */
export function unreadAnswer({ response, body }: HttpAnswer): Response | undefined {
  if (!response?.bodyUsed) return response;
  const { status, statusText, headers } = response;
  const text = /\bjson\b/.test(headers.get('content-type') ?? '') ? JSON.stringify(body) : String(body);
  return new Response(text, { status, statusText, headers });
}

/** First major version with Borealis. */
const BOREALIS_MAJOR = 9;

/** Whether Kibana has the look of 8.x. Older versions do not report their theme, so the version decides (`master` is the newest). */
export function looksAmsterdam({ theme, docLinks }: Pick<CoreStart, 'theme' | 'docLinks'>): boolean {
  const name = theme?.getTheme?.().name;
  if (name !== undefined) return name === 'amsterdam';
  const major = Number.parseInt(docLinks.DOC_LINK_VERSION, 10);
  return major < BOREALIS_MAJOR;
}
