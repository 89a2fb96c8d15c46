import { sectionOf, whyNoRelease } from './version.mjs';

const CHANGELOG = `# Changelog

## 1.1.0, not released

- New.

## 1.0.0, 2026-12-01

- First.
`;
const RELEASE = { version: '1.0.0', lockVersion: '1.0.0', changelog: CHANGELOG, tag: 'v1.0.0' };

test('a version has its own section of the changelog, up to the next one', () => {
  expect(sectionOf(CHANGELOG, '1.1.0')).toEqual({ when: 'not released', text: '- New.' });
  expect(sectionOf(CHANGELOG, '1.0.0')).toEqual({ when: '2026-12-01', text: '- First.' });
  expect(sectionOf(CHANGELOG, '1.0')).toBeUndefined();
});

test('a release is made of a version with a dated section and a tag of its name', () => {
  expect(whyNoRelease(RELEASE)).toEqual([]);
});

test('a release whose changelog section is missing or empty is refused', () => {
  const of = { ...RELEASE, version: '2.0.0', lockVersion: '2.0.0', tag: 'v2.0.0' };
  const heading = 'write one under "## 2.0.0, YYYY-MM-DD".';
  expect(whyNoRelease(of)).toEqual([`CHANGELOG.md has no section of 2.0.0: ${heading}`]);
  const empty = CHANGELOG.replace('## 1.1.0', '## 2.0.0, 2027-01-01\n\n## 1.1.0');
  expect(whyNoRelease({ ...of, changelog: empty })).toEqual([
    `CHANGELOG.md says nothing in the section of 2.0.0: ${heading}`,
  ]);
});

test('a section without a date is enough for a rehearsal, but not for a tag', () => {
  const next = { version: '1.1.0', lockVersion: '1.1.0', changelog: CHANGELOG, tag: undefined };
  expect(whyNoRelease(next)).toEqual([]);
  expect(whyNoRelease({ ...next, tag: 'v1.1.0' })).toEqual([
    'CHANGELOG.md says of 1.1.0 "not released": before the tag, write the day, "## 1.1.0, YYYY-MM-DD".',
  ]);
});

test('versions that differ between files are reported', () => {
  expect(whyNoRelease({ ...RELEASE, lockVersion: '0.9.0', tag: 'v0.9.0' })).toEqual([
    'package.json has the version 1.0.0 and package-lock.json 0.9.0: run "npm install --package-lock-only".',
    'The tag is v0.9.0, and package.json has the version 1.0.0: the tag has to be v1.0.0.',
  ]);
  expect(whyNoRelease({ ...RELEASE, version: 'next' })[0]).toContain('the invalid version "next"');
});
