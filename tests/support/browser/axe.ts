// Accessibility violations (axe) of the current page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Checks the modal dialog if one is open, the whole page otherwise. The content security policy blocks script elements;
 * the test injects the script itself.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // Wait for fade-ins: colours are wrong until they end. The cursor and spinners never stop.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect }) => effect?.getComputedTiming().iterations === Infinity),
  );
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof axeCore };
    // What lies behind a modal dialog has its own checks.
    const dialogs = [...document.querySelectorAll('[aria-modal=true]')];
    const lists = [...document.querySelectorAll('[role=menu], [role=listbox]')];
    const { violations } = await axe.run(dialogs.length > 0 ? [...dialogs, ...lists] : document, {
      resultTypes: ['violations'],
    });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')}`,
    );
  });
  expect(found).toEqual([]);
}
