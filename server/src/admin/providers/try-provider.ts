import type { Tried, TryProvider } from '@parley/schema/catalog/saved-providers';
import type * as z from 'zod';
import { exemptHosts } from '../../catalog/live/exempt-hosts.ts';
import { tryEndpoint } from '../../catalog/live/try-endpoint.ts';
import type { Deps } from '../../deps.ts';
import { checkedValues } from './checked-values.ts';
import { assertOffered } from './save-provider.ts';
import { storedProviders } from './saved-rows.ts';

interface Caller {
  userId: string;
  signal?: AbortSignal | undefined;
}

/**
 * Calls a provider with values that are not saved.
 * @throws Refusal `invalid_input`, `forbidden_base_url`
 */
export async function tryProvider(
  deps: Deps,
  { model, ...values }: z.output<typeof TryProvider>,
  { userId, signal }: Caller,
): Promise<Tried> {
  const { db, encryption, config, timings } = deps;
  const stored = (await storedProviders(db.query)).find(({ name }) => name === values.name);
  const checked = checkedValues(values, stored, { encryption, exempt: exemptHosts(config) });
  const endpoint = await assertOffered(deps, checked);
  return tryEndpoint(endpoint, { userId, model, secret: checked.apiKey, timeoutMs: timings.tryAnswerMs, signal });
}
