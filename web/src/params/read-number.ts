import type { Param } from '@parley/schema/params';

export type SliderParam = Extract<Param, { kind: 'slider' }>;

/** Not yet a number, and not yet wrong. */
const BEGINNING = /^[-+]?[.,]?$/;
const NUMBER = /^[-+]?(\d+([.,]\d*)?|[.,]\d+)$/;

export function isWholeOnly({ step }: SliderParam): boolean {
  return Number.isInteger(step);
}

/**
 * The number that a person wrote, with a point or a comma; `unfinished` while it may still become one, null where it is
 * none that the parameter takes. What is above a capped maximum is the maximum.
 */
export function readNumber(text: string, param: SliderParam): number | 'unfinished' | null {
  const written = text.trim();
  if (BEGINNING.test(written)) return 'unfinished';
  if (!NUMBER.test(written)) return null;
  // Adding zero takes the sign off a negative one.
  const number = Number(written.replace(',', '.')) + 0;
  if (number < param.min || (isWholeOnly(param) && !Number.isInteger(number))) return null;
  if (number > param.max) return param.isCapped ? param.max : null;
  return number;
}
