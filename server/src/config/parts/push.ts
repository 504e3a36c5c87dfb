// Settings of notices that reach devices without an open page.
import type { Env } from '../env/env.ts';
import type { MailConfig } from './mail.ts';
import type { ServerConfig } from './server.ts';

export type PushConfig =
  | { enabled: false }
  | {
      enabled: true;
      /** The operator's push services beside those of the browsers. */
      hosts: string[];
      /** Whom push services ask about this server. */
      subject: string;
    };

export function pushConfig(env: Env, server: ServerConfig, mail: MailConfig): PushConfig {
  if (env.PUSH !== 'on') return { enabled: false };
  const site = server.domainServer;
  const address = mail.enabled ? `mailto:${mail.from.address}` : `mailto:push@${new URL(site).hostname}`;
  const subject = env.VAPID_SUBJECT ?? (site.startsWith('https://') ? site : address);
  return { enabled: true, hosts: env.PUSH_HOSTS ?? [], subject };
}
