// Checks whether a release may be built. Only package.json contains the version; everything else reads it there.

/** Matches the heading of a version in CHANGELOG.md, such as `## 1.2.3, 2027-01-31` or `## 1.2.3, not released`. */
const HEADING = /^## (\S+), (.+)$/gm;

/** Returns the date and the text of a version's section in CHANGELOG.md; undefined if there is no such section. */
export function sectionOf(changelog, version) {
  const headings = [...changelog.matchAll(HEADING)];
  const at = headings.findIndex(([, named]) => named === version);
  if (at === -1) return undefined;
  const [heading, , when] = headings[at];
  const text = changelog.slice(headings[at].index + heading.length, headings[at + 1]?.index).trim();
  return { when, text };
}

/**
 * Returns the reasons why no release may be built, as sentences. Returns an empty list if it may be built. `tag`: git tag of the release,
 * such as `v1.2.3`. Without a tag, the build is a rehearsal, and the section in CHANGELOG.md needs no date.
 *
 * @param {{ version: string; lockVersion: string; changelog: string; tag?: string }} release
 */
export function whyNoRelease({ version, lockVersion, changelog, tag }) {
  const why = [];
  const says = (sentence) => why.push(sentence);
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    says(`package.json has the invalid version "${version}": write it as 1.2.3 or 1.2.3-rc.1.`);
  if (lockVersion !== version)
    says(
      `package.json has the version ${version} and package-lock.json ${lockVersion}: run "npm install --package-lock-only".`,
    );
  const section = sectionOf(changelog, version);
  if (section === undefined || section.text === '') {
    const lacks = section === undefined ? 'has no section' : 'says nothing in the section';
    says(`CHANGELOG.md ${lacks} of ${version}: write one under "## ${version}, YYYY-MM-DD".`);
  }
  if (tag === undefined) return why;
  if (tag !== `v${version}`)
    says(`The tag is ${tag}, and package.json has the version ${version}: the tag has to be v${version}.`);
  if (section !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(section.when))
    says(
      `CHANGELOG.md says of ${version} "${section.when}": before the tag, write the day, "## ${version}, YYYY-MM-DD".`,
    );
  return why;
}
