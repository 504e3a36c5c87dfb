// Validates the token usage that providers report.
import type { Usage } from '@parley/schema/messages/messages';

/** Far more tokens than any context window. */
const TOKENS_MAX = 100_000_000;

/** The reported usage if plausible; null for an invalid count, such as a fraction or a negative number. */
export function soundUsage({ input, output }: Usage): Pick<Usage, 'input' | 'output'> | null {
  const isSound = [input, output].every((count) => Number.isSafeInteger(count) && count >= 0 && count <= TOKENS_MAX);
  return isSound ? { input, output } : null;
}
