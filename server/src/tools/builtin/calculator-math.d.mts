import type { CalculatorResult } from './calculator.ts';

export const OFF: readonly string[];
export function createMath(): (expression: string) => CalculatorResult;
