/** All code in the browser that depends on the version of Kibana. */
import type { CoreStart, HttpAnswer, KibanaTheme, MountParameters, Observable } from './sdk';

/** Returns the theme. Undefined if Kibana does not report its theme, which means that the theme is light. */
export const themeOf = (
  core: CoreStart,
  params: Pick<MountParameters, 'theme$'>,
): Observable<KibanaTheme> | undefined => core.theme?.theme$ ?? params.theme$;

/**
 * Returns the answer with a body that has not been read. Kibana 8.3 has already parsed the body, so the body is serialised again. Undefined
 * if there is no answer.
 */
export function unreadAnswer({ response, body }: HttpAnswer): Response | undefined {
  if (!response?.bodyUsed) return response;
  const { status, statusText, headers } = response;
  const text = /\bjson\b/.test(headers.get('content-type') ?? '') ? JSON.stringify(body) : String(body);
  return new Response(text, { status, statusText, headers });
}

/** First major version with Borealis. */
const BOREALIS_MAJOR = 9;

/** Returns whether Kibana has the look of 8.x. Kibana reports its theme since 8.16. For older versions, the version number is used. */
export function looksAmsterdam({ theme, docLinks }: Pick<CoreStart, 'theme' | 'docLinks'>): boolean {
  const name = theme?.getTheme?.().name;
  if (name !== undefined) return name === 'amsterdam';
  const major = Number.parseInt(docLinks.DOC_LINK_VERSION, 10);
  return major < BOREALIS_MAJOR;
}
