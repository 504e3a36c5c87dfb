import type { Config } from '../../config.ts';
import type { SocialProvider } from '../../config/social.ts';
import { createDiscord } from './discord.ts';
import { createFacebook } from './facebook.ts';
import { createGitHub } from './github.ts';
import { createGoogle } from './google.ts';
import { createOpenId } from './openid.ts';
import type { Provider } from './provider.ts';

/** Null for one that is switched off. */
export function createProvider(name: SocialProvider, { accounts }: Config): Provider | null {
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
