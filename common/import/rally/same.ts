/** Returns whether two JSON values are equal, whatever the order of their keys. An undefined value counts as a missing key. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, at) => isSameJson(value, other[at]))
    );
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = (value: object): string[] =>
    Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [key]));
  const [mine, theirs] = [keys(one), keys(other)];
  return (
    mine.length === theirs.length &&
    mine.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isSameJson((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
