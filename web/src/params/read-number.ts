import type { Param } from '@parley/schema/catalog/params';
import { withAsciiSigns } from '../lib/format-number.ts';

export type SliderParam = Extract<Param, { kind: 'slider' }>;

/** Not a number yet, but may become one. */
const BEGINNING = /^[-+]?[.,]?$/;
const NUMBER = /^[-+]?(\d+([.,]\d*)?|[.,]\d+)$/;

export function isWholeOnly({ step }: SliderParam): boolean {
  return Number.isInteger(step);
}

/**
 * Parses a number as any of the languages writes it: with a decimal point or comma, in Arabic digits, too. `unfinished`
 * while it may still become one, null if the parameter does not accept it. Values above a capped maximum become the
 * maximum.
 */
export function readNumber(text: string, param: SliderParam): number | 'unfinished' | null {
  const written = withAsciiSigns(text.trim());
  if (BEGINNING.test(written)) return 'unfinished';
  if (!NUMBER.test(written)) return null;
  // Adding zero turns -0 into 0.
  const number = Number(written.replace(',', '.')) + 0;
  if (number < param.min || (isWholeOnly(param) && !Number.isInteger(number))) return null;
  if (number > param.max) return param.isCapped ? param.max : null;
  return number;
}
