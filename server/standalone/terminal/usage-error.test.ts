import { usageErrorWithoutValues } from './usage-error';

const unknown = (option: string): string => usageErrorWithoutValues(`error: unknown option '${option}'\n`);

test.each(['--api-key', '--apikey', '--password', '--passwrd', '--token', '--es-api-key'])(
  'shows the unknown option %s without its value, and the variable to use',
  (name) => {
    for (const option of [`${name}=Hunter2`, `${name}:Hunter2`, `${name}='Hunter2'`, name]) {
      expect(unknown(option)).toContain(`unknown option '${name}'\n`);
      expect(unknown(option)).toContain('DYNO_TARGET_API_KEY');
      expect(unknown(option)).not.toContain('Hunter2');
    }
  },
);

test('shows a single letter without its value', () => {
  expect(unknown('-pHunter2')).not.toContain('Hunter2');
  expect(unknown('-uelastic:Hunter2')).toContain('DYNO_TARGET_API_KEY');
});

test('any other unknown option keeps its suggestion', () => {
  const suggested = "error: unknown option '--worker=4'\n(Did you mean --workers?)\n";
  expect(usageErrorWithoutValues(suggested)).toBe(
    "error: unknown option '--worker'\n(Did you mean --workers?)\n",
  );
  expect(usageErrorWithoutValues('error: too many arguments\n')).toBe('error: too many arguments\n');
});
