import { USER_PROVIDED, toBaseUrl } from './addresses.ts';

/** Whose API key is used: the server's, or one that each user saves. */
export type Credential = { from: 'server'; apiKey: string } | { from: 'user' };
/** The base URL of a provider, without trailing slash; paths such as `/chat/completions` are appended. */
export type Address =
  | {
      from: 'server';
      url: string;
      /** An administrator gave it: it is called through the egress guard. */
      isGuarded?: true;
    }
  | { from: 'user' };

export function readCredential(apiKey: string): Credential {
  return apiKey === USER_PROVIDED ? { from: 'user' } : { from: 'server', apiKey };
}

export function resolveAddress(url: string): Address {
  return url === USER_PROVIDED ? { from: 'user' } : { from: 'server', url: toBaseUrl(url) };
}
