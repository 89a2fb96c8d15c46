import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Command, Option } from 'commander';
import type { ServeContext } from '../commands/serve';
import { COMMANDS } from './list';
import { program } from './program';

function made(): Command {
  const context = { version: '1.2.3', console: {} } as unknown as ServeContext;
  return program({ context, expandScript: '', recordFile: '', ends: () => async () => {} }, () => {});
}

const withThoseBelow = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap((below) => withThoseBelow(below)),
];

describe('the commands of dyno', () => {
  it('include each file of the folder', () => {
    const files = readdirSync(path.join(__dirname, 'commands')).filter((file) => file.endsWith('.ts'));
    const names = made().commands.map((command) => `${command.name()}.ts`);
    expect(names.toSorted()).toEqual(files.toSorted());
    expect(COMMANDS).toHaveLength(files.length);
  });

  it('describe themselves and their options', () => {
    const lacking = withThoseBelow(made()).flatMap((command) => [
      ...(command.description() === '' ? [command.name()] : []),
      ...command.options
        .filter(({ description }) => description === '')
        .map(({ flags }) => `${command.name()} ${flags}`),
    ]);
    expect(lacking).toEqual([]);
  });

  it('share the meaning of --json', () => {
    const meanings = withThoseBelow(made())
      .flatMap(({ options }): readonly Option[] => options)
      .filter(({ long }) => long === '--json')
      .map(({ description }) => description);
    expect(new Set(meanings)).toEqual(new Set(['print JSON on standard output']));
  });

  it('pass usage errors to the caller, including those of subcommands', async () => {
    const errors: string[] = [];
    const context = { version: '1.2.3', console: {} } as unknown as ServeContext;
    const dyno = program(
      { context, expandScript: '', recordFile: '', ends: () => async () => {} },
      (text) => {
        errors.push(text);
      },
    );
    await expect(dyno.parseAsync(['runs', '--limit', '0'], { from: 'user' })).rejects.toThrow(
      'a whole number from 1',
    );
    expect(errors.join('')).toContain('a whole number from 1');
  });
});
