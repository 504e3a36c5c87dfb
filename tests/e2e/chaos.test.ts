// A short chaos run of each kind; `npm run chaos` is the long one. The seed of a failure repeats its plan.
import { randomInt } from 'node:crypto';
import { build } from '@parley/scripts/build';
import { runChaos } from '@parley/scripts/chaos/run';
import { beforeAll, describe, expect, it } from 'vitest';

const SEEDS = { fixed: '7', random: String(randomInt(1_000_000)) };

beforeAll(() => build());

describe('servers that are killed while people talk', () => {
  it.concurrent.each(Object.entries(SEEDS))('lose nothing (%s seed)', async (_kind, seed) => {
    console.log(`chaos seed ${seed}`);
    const { violations, outages } = await runChaos({ seed, generations: 40, signals: ['SIGKILL', 'SIGKILL'] });
    expect(violations).toEqual([]);
    expect(outages).toHaveLength(2);
  });
});
