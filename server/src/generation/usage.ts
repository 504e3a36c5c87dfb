// What providers tell of the tokens that they used.
import type { Usage } from '@parley/schema/messages';

/** Far more tokens than any window holds. */
const TOKENS_MAX = 100_000_000;

/** What was told, where it can be true; null for what is no count, such as a broken or a negative number. */
export function soundUsage({ input, output }: Usage): Pick<Usage, 'input' | 'output'> | null {
  return isCount(input) && isCount(output) ? { input, output } : null;
}

function isCount(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= TOKENS_MAX;
}
