import type { ReadEnv, EnvRows } from '../../../config/env/env.ts';
import type { SiteDefinition } from '../define-site.ts';
import { discord } from './discord.ts';
import { facebook } from './facebook.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import { openid } from './openid.ts';
import type { ConfiguredSite } from '../../../config/parts/sign-in-sites.ts';

/** All sites to sign in by. */
export const SITES: readonly SiteDefinition[] = [google, facebook, openid, github, discord];

/** Those that are configured. @throws ConfigError */
export function configureSites(env: ReadEnv<EnvRows>, domainServer: string): ConfiguredSite[] {
  return SITES.flatMap((site) => site.configure(env, domainServer) ?? []);
}
