import { expect, it } from 'vitest';
import { textDirection } from '../../../../web/src/ui/fields/text-direction.ts';

const LINES = 'A line.\n\n'.repeat(3_000);

it.each([
  ['', undefined],
  ['A line.', 'auto'],
  ['שלום', 'auto'],
  [LINES, 'ltr'],
  [`1. «שלום»\n${LINES}`, 'rtl'],
  [`1. مرحبا\n${LINES}`, 'rtl'],
  ['7\n'.repeat(20_000), 'ltr'],
])('a text has one direction as a whole only where it is long', (text, direction) => {
  expect(textDirection(text)).toBe(direction);
});
