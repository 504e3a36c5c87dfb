import type { Address, Credential } from '../../config/credentials.ts';
import { Refusal, refuse } from '../../errors.ts';
import type { Surroundings } from '../endpoint.ts';
import type { Upstream } from '../provider.ts';
import { findBaseURL, openAIKeyIn } from '../user-key.ts';

interface Reached {
  name: string;
  key: Credential;
  baseURL: Address;
}

/**
 * Where and with whose key an endpoint of OpenAI's kind is asked for a user. What is the server's goes nowhere but to
 * the server's own address: at an address of the user's the key is the user's, too, and it is called through the guard.
 * @throws Refusal `no_user_key`, `expired_user_key`, `invalid_user_key`, `no_base_url`, `forbidden_base_url`
 */
export async function reach(
  { name, key, baseURL }: Reached,
  userId: string,
  { userKey, egress }: Surroundings,
): Promise<Pick<Upstream, 'baseURL' | 'apiKey' | 'fetch'>> {
  if (baseURL.from === 'server') {
    const apiKey = key.from === 'server' ? key.apiKey : openAIKeyIn(await userKey(userId, name), name);
    return { baseURL: baseURL.url, apiKey };
  }
  const value = await userKey(userId, name).catch((error: unknown) => {
    // Who is asked for an address alone misses the address.
    const isAddressMissing = error instanceof Refusal && error.reason.type === 'no_user_key' && key.from === 'server';
    throw isAddressMissing ? new Refusal({ type: 'no_base_url', endpoint: name }) : error;
  });
  const url = findBaseURL(value) ?? refuse({ type: 'no_base_url', endpoint: name });
  return { baseURL: egress.baseURLOf(url), apiKey: openAIKeyIn(value, name), fetch: egress.fetch };
}
