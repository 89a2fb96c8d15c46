import { licenceOf } from './licence-names.mjs';
import { allOf, compilerOf, folderOfModule, linkedModules, packageFoldersOf } from './shipped.mjs';

test('packages are those with a file in a bundle, in any folder', () => {
  const inputs = {
    'server/index.ts': { bytesInOutput: 10 },
    'node_modules/zod/index.js': { bytesInOutput: 10 },
    'node_modules/zod/lib/more.js': { bytesInOutput: 10 },
    'node_modules/unused/index.js': { bytesInOutput: 0 },
    'node_modules/@elastic/eui/node_modules/@scope/inner/index.js': { bytesInOutput: 1 },
    'undici-of-load:undici': { bytesInOutput: 20 },
  };
  expect(packageFoldersOf({ outputs: { 'build/a.js': { inputs } } })).toEqual([
    'node_modules/@elastic/eui/node_modules/@scope/inner',
    'node_modules/zod',
  ]);
});

const SAID = [
  '/tmp/dynobeat: go1.26.8',
  '\tpath\tdyno/collector',
  '\tmod\tdyno/collector\t(devel)\t',
  '\tdep\tgithub.com/Shopify/sarama\tv0.0.0-00010101000000-000000000000',
  '\t=>\tgithub.com/elastic/sarama\tv1.19.1\th1:sum=',
  '\tdep\tgo.uber.org/zap\tv1.21.0\th1:other=',
  '\tbuild\t-trimpath=true',
].join('\n');

test('Go modules are those listed in the binary, with replacements instead of replaced ones', () => {
  expect(linkedModules(SAID)).toEqual([
    { name: 'github.com/elastic/sarama', version: 'v1.19.1', integrity: 'h1:sum=' },
    { name: 'go.uber.org/zap', version: 'v1.21.0', integrity: 'h1:other=' },
  ]);
  expect(compilerOf(SAID)).toBe('1.26.8');
});

test('the module cache escapes capitals', () => {
  expect(folderOfModule({ name: 'github.com/Azure/go-Auth', version: 'v1.0.0' })).toBe(
    'github.com/!azure/go-!auth@v1.0.0',
  );
});

test('a licence is recognised by a sentence, regardless of line breaks', () => {
  const bsd = 'Redistribution and use in source\n and binary forms, with or without modification';
  expect(licenceOf('                Apache License\n          Version 2.0, January 2004')).toBe('Apache-2.0');
  expect(licenceOf(bsd)).toBe('BSD-2-Clause');
  expect(licenceOf(`${bsd}\n\n * Neither the name of the author`)).toBe('BSD-3-Clause');
  expect(
    licenceOf('// Permission is hereby granted, free of charge, to any\n// person obtaining a copy'),
  ).toBe('MIT');
  expect(licenceOf('Permission to use, copy, modify, and/or distribute this software for any purpose')).toBe(
    'ISC',
  );
  expect(licenceOf('All rights reserved.')).toBeUndefined();
});

test('a package in several parts is listed once, and one without a licence stops the release', () => {
  const one = { type: 'npm', name: 'zod', version: '4.0.0', licence: 'MIT', texts: [] };
  const other = { ...one, name: 'ajv' };
  expect(allOf([one], [other, one])).toEqual([other, one]);
  expect(() => allOf([{ ...one, licence: undefined }])).toThrow(/the licence is unknown: zod 4\.0\.0/);
});
