// Fields that make a call cost more than its tokens at the usual rate, which is all that this server charges.
import { refuseField } from '../api-error.ts';

/** Each search, and each page that is read, costs beside the tokens. */
const BESIDE_TOKENS = ['plugins', 'web_search_options'] as const;
/** No dearer than the usual one. */
const TIERS: readonly unknown[] = ['auto', 'default', 'flex'];

/**
 * `isLimited` tells whether a balance, a budget or the limit of a key holds the call to what it may cost.
 * @throws ApiError that names the field
 */
export async function assertPriced(beside: Record<string, unknown>, isLimited: () => Promise<boolean>): Promise<void> {
  if ('service_tier' in beside && !TIERS.includes(beside.service_tier))
    refuseField('service_tier', 'This server has prices for the tiers auto, default and flex alone.');
  const dear = BESIDE_TOKENS.find((name) => name in beside);
  if (dear && (await isLimited()))
    refuseField(
      dear,
      `What ${dear} adds costs beside the tokens, so it is not for calls that a limit of credits holds.`,
    );
}
