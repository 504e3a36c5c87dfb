// What the web app loads later: few parts, and whole screens, dialogs, panels and renderers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const sources = join(import.meta.dirname, '../../../../web/src');

/** Where the composer, the header and the rows of lists and threads are. */
const WHOLE = [
  'app/header',
  'app/sidebar',
  'app/user-menu',
  'chat/composer',
  'chat/header',
  'chat/message',
  'chat/message-actions',
  'chat/message-edit',
  'chat/plugin-bar',
  'chat/steps',
  'chat/tools',
  'chat/tree',
  'files/citations',
];

describe('the web app', () => {
  it('loads at most 45 parts later', () => {
    const points = lazyPoints('.');
    expect(points.length).toBeGreaterThan(30);
    expect(points.length, points.join('\n')).toBeLessThanOrEqual(45);
  });

  it.each(WHOLE)('has no part inside of %s that loads on its own', (folder) => {
    expect(readdirSync(join(sources, folder)).length).toBeGreaterThan(0);
    expect(lazyPoints(folder)).toEqual([]);
  });
});

/** The dynamic imports of the sources in a folder. */
function lazyPoints(folder: string): string[] {
  const files = readdirSync(join(sources, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .flatMap((file) => {
      const path = join(sources, folder, file);
      const text = readFileSync(path, 'utf8');
      const { dynamicImports } = parseSync(path, text).module;
      return dynamicImports.map(({ start, end }) => `${join(folder, file)}: ${text.slice(start, end)}`);
    });
}
