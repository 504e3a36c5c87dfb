import type { Config } from '../../config.ts';
import type { OAuthProviderName } from '../../config/parts/oauth.ts';
import { createDiscord } from './sites/discord.ts';
import { createFacebook } from './sites/facebook.ts';
import { createGitHub } from './sites/github.ts';
import { createGoogle } from './sites/google.ts';
import { createOpenId } from './sites/openid.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** Null when the provider is disabled. */
export function createIdentityProvider(name: OAuthProviderName, { accounts }: Config): IdentityProvider | null {
  if (name === 'openid') return accounts.social.openid.enabled ? createOpenId(accounts.social.openid) : null;
  const client = accounts.social[name];
  if (!client.enabled) return null;
  switch (name) {
    case 'google':
      return createGoogle(client);
    case 'facebook':
      return createFacebook(client);
    case 'github':
      return createGitHub(client);
    case 'discord':
      return createDiscord(client);
    default:
      return name satisfies never;
  }
}
