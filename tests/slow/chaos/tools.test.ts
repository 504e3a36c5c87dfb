// Servers that are killed while models call tools: nothing runs twice, and every cut reply can be continued.
// `CHAOS_SEEDS` is how many plans are tried, `CHAOS_SEED` the first of them.
import { build } from '@parley/scripts/build';
import { runChaos } from '@parley/scripts/chaos/run';
import { beforeAll, describe, expect, it } from 'vitest';

const COUNT = Number(process.env.CHAOS_SEEDS ?? 25);
const FIRST = Number(process.env.CHAOS_SEED ?? 1);

beforeAll(() => build());

describe('servers that are killed while tools are called', () => {
  it.each(Array.from({ length: COUNT }, (_, n) => String(FIRST + n)))(
    'carry out no call twice, seed %s',
    async (seed) => {
      const signals = ['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGTERM'] as const;
      const wishes = {
        seed: `tools ${seed}`,
        generations: 24,
        servers: 2,
        signals: [...signals],
        tools: 0.9,
        timed: false,
      };
      const { violations, outages } = await runChaos(wishes);
      expect(violations.map(({ rule, text }) => `${rule}: ${text}`).join('\n')).toBe('');
      expect(outages).toHaveLength(signals.length);
    },
  );
});
