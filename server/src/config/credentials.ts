import { USER_PROVIDED, toBaseUrl } from './addresses.ts';

/** Who pays: the server's key, or one that each user saves. */
export type Credential = { from: 'server'; apiKey: string } | { from: 'user' };
/** Where the provider answers. The url has no trailing slash; paths such as `/chat/completions` are added to it. */
export type Address = { from: 'server'; url: string } | { from: 'user' };

export function credentialOf(apiKey: string): Credential {
  return apiKey === USER_PROVIDED ? { from: 'user' } : { from: 'server', apiKey };
}

export function addressOf(url: string): Address {
  return url === USER_PROVIDED ? { from: 'user' } : { from: 'server', url: toBaseUrl(url) };
}
