// Resolves the address and key of an OpenAI-compatible endpoint.
import type { Address, Credential } from '../config/credentials.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import type { EndpointDeps } from './endpoint.ts';
import type { ProviderTarget } from './provider.ts';
import { findBaseURL, openAIKeyIn } from './user-key.ts';

/**
 * The target for one user. The server's key goes only to the server's own address: an address the user sets is called
 * with the user's key, through the egress guard.
 * @throws Refusal `no_user_key`, `expired_user_key`, `invalid_user_key`, `no_base_url`, `forbidden_base_url`
 */
export async function resolveTarget(
  { name, key, baseURL }: { name: string; key: Credential; baseURL: Address },
  userId: string,
  { userKey, egress, savedEgress }: EndpointDeps,
): Promise<Pick<ProviderTarget, 'baseURL' | 'apiKey' | 'fetch'>> {
  if (baseURL.from === 'server') {
    const apiKey = key.from === 'server' ? key.apiKey : openAIKeyIn(await userKey(userId, name), name);
    return { baseURL: baseURL.url, apiKey, ...(baseURL.isGuarded && { fetch: savedEgress.fetch }) };
  }
  const value = await userKey(userId, name).catch((error: unknown) => {
    // If only an address is required, it is the address that is missing, not a key.
    const isAddressMissing = error instanceof Refusal && error.reason.type === 'no_user_key' && key.from === 'server';
    throw isAddressMissing ? new Refusal({ type: 'no_base_url', endpoint: name }) : error;
  });
  const url = findBaseURL(value) ?? refuse({ type: 'no_base_url', endpoint: name });
  return { baseURL: egress.baseURLOf(url), apiKey: openAIKeyIn(value, name), fetch: egress.fetch };
}
