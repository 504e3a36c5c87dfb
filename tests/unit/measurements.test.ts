// A test that compares a measured time or an amount of memory with a bound fails on a busy machine. The ordinary run
// has none: it counts the work, polls for a state, or passes the clock in. What measures is in tests/slow.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const tests = fileURLToPath(new URL('..', import.meta.url));

/** Clocks and gauges, and a moment that is kept to be compared with a later one. */
const measures = [
  /\bperformance\.(now|measure|timeOrigin)\b/,
  /\bhrtime\b/,
  /\b(cpuUsage|memoryUsage|resourceUsage|getHeapStatistics)\b/,
  /\bTaskDuration\b|\bJSHeapUsedSize\b|\bthreadTicks\b/,
  /\b(const|let) \w+ = Date\.now\(\);/,
];

const ordinary = readdirSync(tests, { recursive: true })
  .map(String)
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules') && !isSlow(file));

describe('an ordinary test', () => {
  it('is found', () => {
    expect(ordinary.length).toBeGreaterThan(200);
  });

  it.each(measures)('does not measure with %s', (measure) => {
    expect(ordinary.filter((file) => measure.test(readFileSync(join(tests, file), 'utf8')))).toEqual([]);
  });

  it('imports nothing from measuring tests', () => {
    const taking = /from '[^']*\/(slow|measuring)\//;
    expect(ordinary.filter((file) => taking.test(readFileSync(join(tests, file), 'utf8')))).toEqual([]);
  });
});

/** `support/measuring` and this file belong to them, too. */
function isSlow(file: string): boolean {
  return /^(slow|support\/measuring)\/|\.slow\.test\.tsx?$|^unit\/measurements\.test\.ts$/.test(file);
}
