// The licences of all that is shipped and that others wrote, in one text. Each licence stands there once, below the names of
// whatever is under it word by word.

const LINE = '-'.repeat(80);

const named = ({ name, version, licence }) => `${name} ${version} (${licence})`;

/** `product`: what contains them; `packages`: as scripts/release/shipped.mjs tells them. */
export function thirdPartyText(product, packages) {
  const byTerms = new Map();
  for (const one of packages) {
    const terms = one.texts.length > 0 ? one.texts.join(`\n\n${LINE}\n\n`) : undefined;
    byTerms.set(terms, [...(byTerms.get(terms) ?? []), one]);
  }
  const parts = [...byTerms].map(
    ([terms, ones]) =>
      `${ones.map(named).join('\n')}\n\n${terms ?? 'The package has no file with the text of its licence; see its name above.'}\n`,
  );
  return `${[`${product} contains the following works of others, each under its own licence.\n`, ...parts].join(`\n${'='.repeat(80)}\n\n`)}`;
}
