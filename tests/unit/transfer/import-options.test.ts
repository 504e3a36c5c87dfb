import { parseImportOptions } from '@parley/server/commands/import-librechat';
import { expect, test } from 'vitest';

test('a mistyped option stops an import, so that it is no real run by accident', () => {
  expect(() => parseImportOptions(['folder', '--dryrun'])).toThrow(/--dryrun[^]*Usage: npm run import-librechat/);
  expect(() => parseImportOptions(['folder', '--join'])).toThrow(/join/);
  expect(() => parseImportOptions([])).toThrow('Which folder?');
  expect(() => parseImportOptions(['one', 'two'])).toThrow('Only one folder at a time, not also two.');
});

test('the options of an import', () => {
  expect(parseImportOptions(['folder'])).toEqual({ folder: 'folder', 'dry-run': false, 'join-all': false });
  expect(parseImportOptions(['--join', 'a@b.c', '--dry-run', 'folder', '--join=d@e.f', '--admin', 'a@b.c'])).toEqual({
    folder: 'folder',
    'dry-run': true,
    'join-all': false,
    join: ['a@b.c', 'd@e.f'],
    admin: 'a@b.c',
  });
});
