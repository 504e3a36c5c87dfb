// A short chaos run; `npm run chaos` is the long one.
import { build } from '@parley/scripts/build';
import { runChaos } from '@parley/scripts/chaos/run';
import { beforeAll, describe, expect, it } from 'vitest';
import { isFullRun } from '../../support/extent.ts';

// One seed, so that what lands is what was tried; `npm run chaos` takes new ones.
const SEED = '7';

beforeAll(() => build());

describe('servers that are killed during chats', () => {
  it.each(isFullRun ? [1, 2] : [2])(
    'lose nothing, %i on one database',
    async (servers) => {
      const wishes = {
        seed: SEED,
        generations: isFullRun ? 40 : 20,
        servers,
        signals: ['SIGKILL' as const, 'SIGKILL' as const],
        tools: isFullRun ? 0.25 : 0,
        timed: isFullRun,
      };
      const { violations, outages } = await runChaos(wishes);
      // As text, so that a failure shows what was lost.
      expect(violations.map(({ rule, text }) => `${rule}: ${text}`).join('\n')).toBe('');
      expect(outages).toHaveLength(2);
    },
    600_000,
  );
});
