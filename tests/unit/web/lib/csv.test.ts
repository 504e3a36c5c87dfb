import { expect, test } from 'vitest';
import { csvLine } from '../../../../web/src/lib/csv.ts';

/** The cell as a reader of CSV sees it. */
function cell(said: string): string {
  const line = csvLine([said]).slice(0, -2);
  return line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
}

test.each([
  '-1,250.50',
  '-7',
  '+1',
  '-0.5',
  '-.5',
  '-1.250,50',
  '-1 250,50',
  "-1'250.50",
  '-1,25,000',
  '-12%',
  '-7 %',
  '+3',
  '(5.00)',
  '+3.5 %',
  '-1.5e-3',
  '-$1,250.50',
  '-€7',
  '-7 €',
  '- 7',
  '-',
  ' -7',
  '1 - 2',
  'a=b',
  '(7)',
  '−7',
])('a cell of %j stays as it is', (said) => expect(cell(said)).toBe(said));

test.each([
  '=x',
  '+cmd',
  '@x',
  '-x',
  '=1+2',
  '-1+2',
  '-1-2',
  '+1*A1',
  '-2+3+cmd|" /C calc"!A0',
  ' =x',
  '\t=x',
  '--7',
  '- item',
  '+49 30 1234567',
  '-7=8',
  '-1(2)',
  '-2-3-4',
  '-1 250 =x',
  '-5 A1',
  '+',
  '＝x',
  '-1e5e5',
  `-${'1'.repeat(100_000)}x`,
])('no spreadsheet runs a cell of %.20s', (said) => expect(cell(said)).toBe(`'${said}`));
