// A short chaos run; `npm run chaos` is the long one.
import { build } from '@parley/scripts/build';
import { runChaos } from '@parley/scripts/chaos/run';
import { beforeAll, describe, expect, it } from 'vitest';

// One seed, so that what lands is what was tried; `npm run chaos` takes new ones.
const SEED = '7';

beforeAll(() => build());

describe('servers that are killed while people talk', () => {
  it.each([1, 2])('lose nothing, %i over one database', async (servers) => {
    const wishes = { seed: SEED, generations: 40, servers, signals: ['SIGKILL' as const, 'SIGKILL' as const] };
    const { violations, outages } = await runChaos(wishes);
    expect(violations).toEqual([]);
    expect(outages).toHaveLength(2);
  });
});
