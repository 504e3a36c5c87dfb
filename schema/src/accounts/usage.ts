import type { Rates } from '../catalog/rates.ts';

/** The answers of a month by one model at one price. */
export interface CountedUsage {
  /** `2026-11`, in UTC. */
  month: string;
  endpoint: string;
  model: string | null;
  answers: number;
  /** In tokens. */
  input: number;
  output: number;
  /** The prices that the provider reported. */
  rates: Rates | null;
}
