/**
 * Masks points on the earth: all are turned by a secret angle around its axis, and moved by 0.1° to 0.4° to the north or south.
 * Shapes and rectangles keep their points; distances change by less than 1%, except near the poles.
 */
import { heldString, isExactNumber, exactNumber, exactText } from '../../json/exact';
import { secretBetween, type Digest } from './keyed';

const DECIMALS = 3;
const THOUSAND = 1000;
const GEOHASH = '0123456789bcdefghjkmnpqrstuvwxyz';

const SHAPES = new Set(
  'point multipoint linestring multilinestring polygon multipolygon geometrycollection envelope circle'.split(
    ' ',
  ),
);
const PAIR = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;
const WKT =
  /^\s*(?:SRID=\d+;)?(?:POINT|MULTIPOINT|LINESTRING|MULTILINESTRING|POLYGON|MULTIPOLYGON|GEOMETRYCOLLECTION|BBOX)\s*Z?\s*\(/i;

type Exact = Readonly<Record<string, unknown>>;

const isNumber = (value: unknown): value is number | string =>
  typeof value === 'number' || isExactNumber(value);

/** Returns true for a number, or a text of a number. */
const isNumeric = (value: unknown): value is number | string =>
  isNumber(value) || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value));

const isObject = (value: unknown): value is Exact =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true for a value that can only be a point or shape: an object of `lat` and `lon`, GeoJSON or WKT. */
export function isPlace(value: unknown): boolean {
  if (typeof value === 'string')
    return WKT.test(value) || (PAIR.test(value) && value.split('.').length === 3);
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  if (keys.length === 2 && isNumeric(value['lat']) && isNumeric(value['lon'])) return true;
  const type = value['type'];
  return (
    typeof type === 'string' &&
    SHAPES.has(type.toLowerCase()) &&
    (Array.isArray(value['coordinates']) || Array.isArray(value['geometries']))
  );
}

export class Places {
  private readonly east: number;
  private readonly north: number;

  constructor(digest: Digest) {
    this.east = Number(secretBetween(digest, 'east', 20_000n, 340_000n)) / THOUSAND;
    const north = Number(secretBetween(digest, 'north', 100n, 400n)) / THOUSAND;
    this.north = secretBetween(digest, 'south', 0n, 1n) === 0n ? north : -north;
  }

  /** Masks a point or shape in any notation. Returns undefined for any other value. */
  masked(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return this.list(value);
    if (!isObject(value)) return undefined;
    if (isNumeric(value['lat']) && isNumeric(value['lon']))
      return { lat: this.number(value['lat'], 'lat'), lon: this.number(value['lon'], 'lon') };
    if (typeof value['geohash'] === 'string') return { geohash: this.text(value['geohash']) };
    return isPlace(value) ? this.shape(value) : undefined;
  }

  /** Masks the corners of a rectangle. Returns undefined for any other value. */
  rectangle(value: unknown): unknown {
    if (!isObject(value)) return undefined;
    const sides: Record<string, 'lat' | 'lon'> = { top: 'lat', bottom: 'lat', left: 'lon', right: 'lon' };
    // A rectangle around the whole earth stays one.
    const isAround =
      (Object.values(value) as unknown[]).some((corner) => eastOf(corner) === -180) &&
      Object.values(value).some((corner) => eastOf(corner) === 180);
    const masked: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(value)) {
      const side = Object.hasOwn(sides, key) ? sides[key] : undefined;
      if (isAround) masked[key] = one;
      else if (side !== undefined && isNumeric(one)) masked[key] = this.number(one, side);
      else masked[key] = this.masked(one);
      if (masked[key] === undefined) return undefined;
    }
    return masked;
  }

  private text(text: string): string | undefined {
    const pair = PAIR.exec(text);
    if (pair !== null) return `${this.degrees(pair[1]!, 'lat')},${this.degrees(pair[2]!, 'lon')}`;
    if (WKT.test(text)) return this.wkt(text);
    return /^[0-9b-hjkmnp-z]{1,12}$/.test(text) ? this.geohash(text) : undefined;
  }

  private wkt(text: string): string {
    if (/^\s*BBOX/i.test(text)) {
      let at = 0;
      return text.replaceAll(/-?\d+(?:\.\d+)?/g, (token) => this.degrees(token, at++ < 2 ? 'lon' : 'lat'));
    }
    return text.replaceAll(
      /(-?\d+(?:\.\d+)?)(\s+)(-?\d+(?:\.\d+)?)((?:\s+-?\d+(?:\.\d+)?)?)/g,
      (_, lon: string, space: string, lat: string) =>
        this.degrees(lon, 'lon') + space + this.degrees(lat, 'lat'),
    );
  }

  /** Masks `[lon, lat]`, or lists of such lists. The altitude is removed. */
  private list(value: readonly unknown[]): unknown {
    if (value.length >= 2 && value.length <= 3 && value.every(isNumber))
      return [this.number(value[0] as number, 'lon'), this.number(value[1] as number, 'lat')];
    const inner = value.map((one) => this.masked(one));
    return inner.includes(undefined) ? undefined : inner;
  }

  private shape(value: Exact): unknown {
    const { type, coordinates, geometries, radius } = value;
    const masked = Array.isArray(coordinates) ? this.list(coordinates) : undefined;
    const parts = Array.isArray(geometries) ? this.list(geometries) : undefined;
    if (masked === undefined && parts === undefined) return undefined;
    return {
      type,
      ...(masked === undefined ? {} : { coordinates: masked }),
      ...(parts === undefined ? {} : { geometries: parts }),
      ...(typeof radius === 'string' && /^[\d.]+[a-z]*$/.test(radius) ? { radius } : {}),
    };
  }

  private number(value: number | string, axis: 'lat' | 'lon'): unknown {
    const token = this.degrees(exactText(value), axis);
    return isNumber(value) ? exactNumber(token) : heldString(token);
  }

  private degrees(token: string, axis: 'lat' | 'lon'): string {
    const decimals = Math.min(15, Math.max(DECIMALS, token.split('.')[1]?.length ?? 0));
    const moved = this.moved(Number(token), axis);
    // A sum such as 0.1 + 0.2 has more decimals than its parts. Zeros at the end are not needed.
    return moved
      .toFixed(decimals)
      .replace(/\.?0+$/, '')
      .replace(/^-0$/, '0');
  }

  private moved(degrees: number, axis: 'lat' | 'lon'): number {
    if (axis === 'lat')
      return Math.abs(degrees) >= 89 ? degrees : Math.max(-90, Math.min(90, degrees + this.north));
    const turned = (degrees + 180 + this.east) % 360;
    return (turned < 0 ? turned + 360 : turned) - 180;
  }

  private geohash(text: string): string {
    const { lat, lon } = centreOf(text);
    return geohashOf(this.moved(lat, 'lat'), this.moved(lon, 'lon'), text.length);
  }
}

function eastOf(corner: unknown): number | undefined {
  if (isNumber(corner)) return Number(exactText(corner));
  if (Array.isArray(corner) && isNumber(corner[0])) return Number(exactText(corner[0]));
  if (isObject(corner) && isNumeric(corner['lon'])) return Number(exactText(corner['lon']));
  return typeof corner === 'string' ? Number(PAIR.exec(corner)?.[2]) : undefined;
}

/** Returns the centre of the cell of a geohash. Its bits halve the longitudes and the latitudes in turn. */
function centreOf(geohash: string): { lat: number; lon: number } {
  const sides = { lon: [-180, 180], lat: [-90, 90] } as { lon: [number, number]; lat: [number, number] };
  let axis: 'lat' | 'lon' = 'lon';
  for (const digit of geohash) {
    for (let bit = 4; bit >= 0; bit -= 1) {
      const side = sides[axis];
      side[(GEOHASH.indexOf(digit) >> bit) & 1 ? 0 : 1] = (side[0] + side[1]) / 2;
      axis = axis === 'lon' ? 'lat' : 'lon';
    }
  }
  return { lat: (sides.lat[0] + sides.lat[1]) / 2, lon: (sides.lon[0] + sides.lon[1]) / 2 };
}

function geohashOf(lat: number, lon: number, length: number): string {
  const sides = { lon: [-180, 180, lon], lat: [-90, 90, lat] } as Record<
    'lat' | 'lon',
    [number, number, number]
  >;
  let axis: 'lat' | 'lon' = 'lon';
  let text = '';
  while (text.length < length) {
    let digit = 0;
    for (let bit = 4; bit >= 0; bit -= 1) {
      const side = sides[axis];
      const middle = (side[0] + side[1]) / 2;
      const isUpper = side[2] >= middle;
      side[isUpper ? 0 : 1] = middle;
      digit |= (isUpper ? 1 : 0) << bit;
      axis = axis === 'lon' ? 'lat' : 'lon';
    }
    text += GEOHASH[digit]!;
  }
  return text;
}
