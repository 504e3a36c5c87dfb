// @vitest-environment happy-dom
// What the dialog of an import counts.
import { MantineProvider } from '@mantine/core';
import type { ArchiveLine, ImportItem } from '@parley/schema/transfer/results';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startEnglish } from '../start-english.ts';
import { ImportProgress } from '../../../../web/src/import/import-progress.tsx';
import type { Import } from '../../../../web/src/import/current-import.ts';

beforeAll(startEnglish);
afterEach(cleanup);

const items: ImportItem[] = [
  { index: 0, title: 'Kites', outcome: 'imported', messages: 2, dropped: 0, conversationId: 'kites' },
  { index: 1, title: 'Boats', outcome: 'present', conversationId: 'boats' },
  { index: 2, title: null, outcome: 'skipped', reason: 'malformed' },
];
const others: ArchiveLine[] = [
  { kind: 'file', name: 'a.txt', outcome: 'imported' },
  { kind: 'file', name: 'b.txt', outcome: 'skipped', reason: 'damaged' },
  { kind: 'assistants', imported: 1, present: 2, skipped: 3 },
  { kind: 'presets', imported: 4, present: 0, skipped: 0 },
  { kind: 'settings', imported: 5, kept: 6 },
];

function show(current: Partial<Import>): string[] {
  const idle = { fileName: 'all.zip', size: 100, bytesDone: 50, items: [], others: [], isWaiting: false, ending: null };
  render(
    <MantineProvider>
      <ImportProgress current={{ ...idle, stop: () => {}, ...current }} />
    </MantineProvider>,
  );
  return screen.queryAllByRole('paragraph').map(({ textContent }) => textContent ?? '');
}

test('each kind of thing has its counts', () => {
  expect(show({ items, others })).toEqual([
    'Chats: 1 imported, 1 already here, 1 skipped',
    'Files: 1 imported, 0 already here, 1 left out',
    'Assistants: 1 imported, 2 already here, 3 left out',
    'Presets: 4 imported, 0 already here, 0 left out',
    'Settings: 5 imported, 6 of your own kept',
  ]);
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
});

test('a file that is refused has neither counts nor a bar', () => {
  expect(show({ ending: 'foreign_zip' })).toEqual([]);
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByRole('status').textContent).toMatch(/^This ZIP file has no conversations\.json/);
});
