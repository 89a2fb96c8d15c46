/**
 * Masks geographic points and shapes. All of them are turned around the axis of the earth by the same secret angle, and moved by 0.1° to
 * 0.4° to the north or south. Shapes and rectangles keep their number of points. Distances change by less than 1%, except near the poles.
 */
import { heldString, isExactNumber, exactNumber, exactText } from '../../json/exact';
import { secretBetween, type Digest } from './keyed';
import { isDistance } from './structural';

const DECIMALS = 3;
const THOUSAND = 1000;
/** Maximum latitude and maximum longitude, in degrees. */
const LIMITS = { lat: 90, lon: 180 } as const;
const GEOHASH = '0123456789bcdefghjkmnpqrstuvwxyz';

const SHAPES = new Set(
  'point multipoint linestring multilinestring polygon multipolygon geometrycollection envelope circle'.split(
    ' ',
  ),
);
const PAIR = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

// Well-known text. The whole text must match: if it only began like a shape, the rest of it would not be masked.
const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const inBrackets = (one: string): string => String.raw`\(\s*${one}(?:\s*,\s*${one})*\s*\)`;
const POSITION = String.raw`${NUMBER}\s+${NUMBER}(?:\s+${NUMBER})?`;
const LINE = inBrackets(POSITION);
const LINES = inBrackets(LINE);
const Z = String.raw`\s*(?:Z\s*)?`;
const SHAPE =
  String.raw`(?:POINT${Z}\(\s*${POSITION}\s*\)|(?:LINESTRING|MULTIPOINT)${Z}${LINE}|` +
  `(?:POLYGON|MULTILINESTRING|MULTIPOINT)${Z}${LINES}|MULTIPOLYGON${Z}${inBrackets(LINES)})`;
const BOX = String.raw`BBOX\s*\(\s*${NUMBER}(?:\s*,\s*${NUMBER}){3}\s*\)`;
const WKT = new RegExp(
  String.raw`^\s*(?:SRID=4326;)?(?:${SHAPE}|GEOMETRYCOLLECTION${Z}${inBrackets(SHAPE)}|${BOX})\s*$`,
  'i',
);

/** Keys of the corners and sides of a rectangle. The value is the axis to which the number of a side belongs, and null for a corner. */
const CORNERS: Readonly<Record<string, 'lat' | 'lon' | null>> = {
  ...{ top: 'lat', bottom: 'lat', left: 'lon', right: 'lon' },
  ...{ top_left: null, top_right: null, bottom_left: null, bottom_right: null, wkt: null },
};

type Exact = Readonly<Record<string, unknown>>;

const isNumber = (value: unknown): value is number | string =>
  typeof value === 'number' || isExactNumber(value);

/** Returns whether a value is a number, or a text with a number. */
const isNumeric = (value: unknown): value is number | string =>
  isNumber(value) || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value));

const isObject = (value: unknown): value is Exact =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns whether a value looks like a point or shape: an object with `lat` and `lon`, GeoJSON, well-known text, or a text with two
 * degrees. Two numbers with fewer than three decimals do not count as a point, because they can be prices.
 */
export function isPlace(value: unknown): boolean {
  if (typeof value === 'string')
    return WKT.test(value) || (PAIR.test(value) && value.split('.').length === 3 && /\.\d{3}/.test(value));
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

  /** `isTurned`: whether points are turned around the axis of the earth, in addition to their move to the north or south. */
  constructor(
    private readonly digest: Digest,
    isTurned = true,
  ) {
    this.east = isTurned ? Number(secretBetween(digest, 'east', 20_000n, 340_000n)) / THOUSAND : 0;
    const north = Number(secretBetween(digest, 'north', 100n, 400n)) / THOUSAND;
    this.north = secretBetween(digest, 'south', 0n, 1n) === 0n ? north : -north;
  }

  /** Masks a point or shape in any notation. Returns undefined for all other values, and for numbers outside the range of degrees. */
  masked(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return this.list(value);
    if (!isObject(value)) return undefined;
    if (isNumeric(value['lat']) && isNumeric(value['lon'])) return this.point(value['lat'], value['lon']);
    if (typeof value['geohash'] === 'string') {
      const geohash = this.text(value['geohash']);
      return geohash === undefined ? undefined : { geohash };
    }
    return isPlace(value) ? this.shape(value) : undefined;
  }

  /** Masks the corners of a rectangle. Returns undefined for all other values. */
  rectangle(value: unknown): unknown {
    if (!isObject(value)) return undefined;
    // A rectangle around the whole earth must stay such a rectangle.
    const easts = Object.entries(value).map(([key, corner]) => eastOf(key, corner));
    const isAround =
      easts.includes(-180) &&
      easts.includes(180) &&
      easts.every((east) => east === undefined || Math.abs(east) === 180);
    const places = isAround ? new Places(this.digest, false) : this;
    const masked: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(value)) {
      const side = Object.hasOwn(CORNERS, key) ? CORNERS[key] : undefined;
      if (side === undefined) return undefined;
      masked[key] = side !== null && isNumeric(one) ? places.number(one, side) : places.masked(one);
      if (masked[key] === undefined) return undefined;
    }
    return masked;
  }

  private text(text: string): string | undefined {
    const pair = PAIR.exec(text);
    if (pair !== null) {
      const [lat, lon] = [this.degrees(pair[1]!, 'lat'), this.degrees(pair[2]!, 'lon')];
      return lat === undefined || lon === undefined ? undefined : `${lat},${lon}`;
    }
    if (WKT.test(text)) return this.wkt(text);
    return /^[0-9b-hjkmnp-z]{1,12}$/.test(text) ? this.geohash(text) : undefined;
  }

  private wkt(text: string): string | undefined {
    let isWithin = true;
    const masked = (token: string, axis: 'lat' | 'lon'): string => {
      const degrees = this.degrees(token, axis);
      if (degrees === undefined) isWithin = false;
      return degrees ?? '';
    };
    // The altitude is removed. The digits in `SRID=4326;` are not coordinates.
    let at = 0;
    const moved = /BBOX/i.test(text)
      ? text.replaceAll(/-?\d+(?:\.\d+)?(?=\s*[,)])/g, (token) => masked(token, at++ < 2 ? 'lon' : 'lat'))
      : text.replaceAll(
          /(-?\d+(?:\.\d+)?)(\s+)(-?\d+(?:\.\d+)?)(?:\s+-?\d+(?:\.\d+)?)?/g,
          (_, lon: string, space: string, lat: string) => masked(lon, 'lon') + space + masked(lat, 'lat'),
        );
    return isWithin ? moved : undefined;
  }

  private point(lat: number | string, lon: number | string): unknown {
    const masked = { lat: this.number(lat, 'lat'), lon: this.number(lon, 'lon') };
    return masked.lat === undefined || masked.lon === undefined ? undefined : masked;
  }

  /** Masks a point `[lon, lat]`, or a list of points. The altitude is removed from a point. */
  private list(value: readonly unknown[]): unknown {
    const masked =
      value.length >= 2 && value.length <= 3 && value.every(isNumber)
        ? [this.number(value[0] as number, 'lon'), this.number(value[1] as number, 'lat')]
        : value.map((one) => this.masked(one));
    return masked.includes(undefined) ? undefined : masked;
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
      ...(/^circle$/i.test(String(type)) && typeof radius === 'string' && isDistance(radius)
        ? { radius }
        : {}),
    };
  }

  private number(value: number | string, axis: 'lat' | 'lon'): unknown {
    const token = this.degrees(exactText(value), axis);
    if (token === undefined) return undefined;
    return isNumber(value) ? exactNumber(token) : heldString(token);
  }

  /** Masks a latitude or longitude. Returns undefined for a number outside the range. */
  private degrees(token: string, axis: 'lat' | 'lon'): string | undefined {
    if (Math.abs(Number(token)) > LIMITS[axis]) return undefined;
    const decimals = Math.min(15, Math.max(DECIMALS, token.split('.')[1]?.length ?? 0));
    const moved = this.moved(Number(token), axis);
    // A sum such as 0.1 + 0.2 has more decimals than its parts. Zeros at the end are removed.
    return moved
      .toFixed(decimals)
      .replace(/\.?0+$/, '')
      .replace(/^-0$/, '0');
  }

  /** Returns the masked degrees. The latitudes of the poles stay. */
  private moved(degrees: number, axis: 'lat' | 'lon'): number {
    if (axis === 'lat')
      return Math.abs(degrees) === 90 ? degrees : Math.max(-90, Math.min(90, degrees + this.north));
    if (this.east === 0) return degrees;
    const turned = (degrees + 180 + this.east) % 360;
    return (turned < 0 ? turned + 360 : turned) - 180;
  }

  private geohash(text: string): string {
    const { lat, lon } = centreOf(text);
    return geohashOf(this.moved(lat, 'lat'), this.moved(lon, 'lon'), text.length);
  }
}

/** Returns the longitude in a corner or side of a rectangle. Returns undefined if it contains no longitude. */
function eastOf(key: string, corner: unknown): number | undefined {
  if (isNumeric(corner)) return key === 'left' || key === 'right' ? Number(exactText(corner)) : undefined;
  if (Array.isArray(corner) && isNumber(corner[0])) return Number(exactText(corner[0]));
  if (isObject(corner) && isNumeric(corner['lon'])) return Number(exactText(corner['lon']));
  return typeof corner === 'string' ? Number(PAIR.exec(corner)?.[2]) : undefined;
}

/**
 * Returns the centre of the area that a geohash describes. The bits of a geohash alternately halve the range of longitudes and the range of
 * latitudes.
 */
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
