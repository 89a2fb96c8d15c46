/** All code in the browser that depends on the version of Kibana. */
import type { CoreStart, HttpAnswer, KibanaTheme, MountParameters, Observable } from './sdk';

/** Returns the theme. If undefined, Kibana does not report its theme, and the theme is light. */
export const themeOf = (
  core: CoreStart,
  params: Pick<MountParameters, 'theme$'>,
): Observable<KibanaTheme> | undefined => core.theme?.theme$ ?? params.theme$;

/**
 * Returns the response with a body that has not been read. In Kibana 8.3, the body is already parsed, so it is serialised again. Undefined
 * if Kibana returned no response.
 */
export function unreadAnswer({ response, body }: HttpAnswer): Response | undefined {
  if (!response?.bodyUsed) return response;
  const { status, statusText, headers } = response;
  const text = /\bjson\b/.test(headers.get('content-type') ?? '') ? JSON.stringify(body) : String(body);
  return new Response(text, { status, statusText, headers });
}

/** First major version of Kibana with the theme Borealis. Older versions have Amsterdam. */
const BOREALIS_MAJOR = 9;

/**
 * Returns whether Kibana has the look of 8.x (theme Amsterdam). Since 8.16, Kibana reports its theme. In older versions, the version number
 * decides.
 */
export function looksAmsterdam({ theme, docLinks }: Pick<CoreStart, 'theme' | 'docLinks'>): boolean {
  const name = theme?.getTheme?.().name;
  if (name !== undefined) return name === 'amsterdam';
  const major = Number.parseInt(docLinks.DOC_LINK_VERSION, 10);
  return major < BOREALIS_MAJOR;
}
