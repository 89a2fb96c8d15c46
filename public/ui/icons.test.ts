import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PUBLIC = path.resolve(__dirname, '..');
const EUI = path.dirname(require.resolve('@elastic/eui/package.json'));

/** Names of all EUI icons, read from the text of EUI's list. In that list, each name has a function that imports the icon. */
const known = new Set(
  [...readFileSync(path.join(EUI, 'es/components/icon/icon_map.js'), 'utf8').matchAll(/^ {2}(\w+): /gm)].map(
    ([, name]) => name!,
  ),
);

/** Names of the icons in Dyno's list, read as text, because Node.js cannot import its modules. */
const brought = new Set(
  [...readFileSync(path.join(__dirname, 'icons.ts'), 'utf8').matchAll(/^ {2}(\w+)[,:]/gm)].map(
    ([, name]) => name!,
  ),
);

/** Matches the names of icons in quotes, including those in conditional expressions. */
const PLACES = [
  /\b(?:icon|iconType): ('\w+')/g,
  /\b(?:icon|iconType)=("\w+")/g,
  /\b(?:icon|iconType)=\{([^}]*)\}/g,
  /<EuiIcon\s+type=("\w+"|\{[^}]*\})/g,
  /\bICONS\b[^=]*= \{([^}]*)\}/g,
];

/** Matches places that can contain only the name of an icon. */
const LITERAL = /\b(?:icon|iconType)="(\w+)"/g;

const namesIn = (text: string): string[] =>
  PLACES.flatMap((place) => [...text.matchAll(place)])
    .flatMap(([, names]) => [...names!.matchAll(/(['"])(\w+)\1/g)])
    .map(([, , name]) => name!)
    .filter((name) => known.has(name));

test('every icon of a page is in the first bundle, because none can be fetched while the host is away', () => {
  const files = readdirSync(PUBLIC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  );
  const shown = new Set(files.flatMap((file) => namesIn(readFileSync(path.join(PUBLIC, file), 'utf8'))));
  expect(shown.size).toBeGreaterThan(50);
  expect([...shown].filter((name) => !brought.has(name))).toEqual([]);
});

test('every icon has a name that EUI knows, because others are not shown', () => {
  const files = readdirSync(PUBLIC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx$/.test(file),
  );
  const named = files.flatMap((file) =>
    [...readFileSync(path.join(PUBLIC, file), 'utf8').matchAll(LITERAL)].map(([, name]) => name!),
  );
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});
