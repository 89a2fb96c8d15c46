// Creates one text with the licences of all third-party packages in an artifact. Each licence text occurs once, after the names of all
// packages that have exactly this text.

const LINE = '-'.repeat(80);

const named = ({ name, version, licence }) => `${name} ${version} (${licence})`;

/**
 * Returns a text with the licences of all third-party packages in one artifact. `product`: name of the artifact. `packages`: the packages,
 * from scripts/release/shipped.mjs.
 */
export function thirdPartyText(product, packages) {
  const byTerms = new Map();
  for (const one of packages) {
    const terms = one.texts.length > 0 ? one.texts.join(`\n\n${LINE}\n\n`) : undefined;
    byTerms.set(terms, [...(byTerms.get(terms) ?? []), one]);
  }
  const parts = [...byTerms].map(
    ([terms, ones]) =>
      `${ones.map(named).join('\n')}\n\n${terms ?? 'The package contains no licence text; see the name of its licence above.'}\n`,
  );
  return `${[`${product} contains the following works of others, each under its own licence.\n`, ...parts].join(`\n${'='.repeat(80)}\n\n`)}`;
}
