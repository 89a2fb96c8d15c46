/** Checks whether the server side of the plugin can run on this version of Node.js. */

/** Oldest supported version of Node.js, as in `engines` of the library undici 7. Importing undici on an older version throws. */
const OLDEST = '20.18.1';

const partsOf = (version: string): number[] => version.split('.').map(Number);

/** Returns why the plugin cannot start on this version of Node.js, such as `18.18.2`; null if it can start. */
export function nodeRefusal(version: string): string | null {
  const [own, oldest] = [partsOf(version), partsOf(OLDEST)];
  const at = oldest.findIndex((part, index) => own[index] !== part);
  if (at < 0 || own[at]! > oldest[at]!) return null;
  return `Dyno does not start: it needs Node.js ${OLDEST} or newer, and this Kibana runs on ${version}. Kibana 8.18 and newer versions bring it. Remove the plugin, or run Kibana on a newer Node.js`;
}
