// Stylesheets take their sizes from the theme, so that a larger font enlarges everything and no size stands alone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sizes } from '../../../web/src/theme.ts';

const source = join(import.meta.dirname, '../../../web/src');
const files = readdirSync(source, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.css'));

/** Without comments, without the conditions of rules, which have no theme, and without texts. */
function declarations(file: string): string[] {
  const css = readFileSync(join(source, file), 'utf8');
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/@(media|container)[^{]*/g, '')
    .split(/[;{}]/);
}

describe('stylesheets', () => {
  it('have no size of their own but lines of 1 and 2 px', () => {
    const raw = files.flatMap((file) =>
      declarations(file).flatMap((one) =>
        [...one.matchAll(/(?<![\w.-])(\d*\.?\d+)(px|rem|pt)\b/g)]
          .filter(([, figure, unit]) => unit !== 'px' || Number(figure) > 2)
          .map(([size]) => `${file}: ${size} in ${one.trim()}`),
      ),
    );
    expect(raw).toEqual([]);
  });

  it('name only sizes that the theme has', () => {
    const isSize = /var\(--((?:text|leading|space|control|radius|icon|size)-\w+|bar|sidebar)\)/g;
    const used = files.flatMap((file) =>
      declarations(file).flatMap((one) => [...one.matchAll(isSize)].map(([, name = '']) => name)),
    );
    expect(used.length).toBeGreaterThan(1000);
    expect([...new Set(used)].filter((name) => !(name in sizes))).toEqual([]);
  });
});
