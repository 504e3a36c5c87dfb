// What the people of a soak have met since the last row.
import { median, nearlyAll } from '../figures.ts';
import type { Row } from './rows.ts';

export type Tallied = Pick<Row, 'exchanges' | 'failures' | 'firstText' | 'list'>;

export interface Tally {
  exchanged(firstTextMs: number): void;
  listed(ms: number): void;
  failed(what: string, error: unknown): void;
  /** Begins anew. */
  take(): Tallied;
}

/** Tells each kind of failure once. */
export function createTally(say: (line: string) => void): Tally {
  const told = new Set<string>();
  let firstTexts: number[] = [];
  let lists: number[] = [];
  let failures = 0;
  return {
    exchanged: (ms) => void firstTexts.push(ms),
    listed: (ms) => void lists.push(ms),
    failed(what, error) {
      failures++;
      const line = `  ${what} failed: ${error instanceof Error ? error.message : 'for an unknown reason'}`;
      if (!told.has(line)) say(line);
      told.add(line);
    },
    take() {
      const taken = {
        exchanges: firstTexts.length,
        failures,
        firstText: latencyOf(firstTexts),
        list: latencyOf(lists),
      };
      [firstTexts, lists, failures] = [[], [], 0];
      return taken;
    },
  };
}

function latencyOf(ms: readonly number[]): Row['list'] {
  return ms.length === 0 ? null : { p50: median(ms), p95: nearlyAll(ms) };
}
