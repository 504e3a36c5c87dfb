import type { Client } from '../platform/requests/client.ts';
import { Refusal } from '../platform/errors.ts';
import type { AskLimits } from './ask-limits.ts';
import { recordIfViolation } from './violation-error.ts';
import type { Violations } from './violations.ts';

/**
 * Refuses a client that is no browser, where those are not allowed, and counts it as a violation of the user.
 * @throws Refusal `non_browser`
 */
export type BrowsersOnly = (userId: string, client: Client) => Promise<void>;

export function createBrowsersOnly(
  { assertClient }: Pick<AskLimits, 'assertClient'>,
  violations: Violations,
): BrowsersOnly {
  return async (userId, client) => {
    try {
      assertClient?.(client);
    } catch (error) {
      throw error instanceof Refusal ? await recordIfViolation(violations, { userId, ip: client.ip }, error) : error;
    }
  };
}
