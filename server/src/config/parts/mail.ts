// Settings of outgoing mail, and of notices that reach devices without an open page.
import { configError } from '../config-error.ts';
import type { Env } from '../env/env.ts';
import type { ServerConfig } from './server.ts';

/** The operator's mail server and sender address; `enabled: false` unless all of it is configured. */
export type MailConfig =
  | { enabled: false }
  | {
      enabled: true;
      host: string;
      port: number;
      /** TLS from the first byte, mandatory STARTTLS, or STARTTLS if the server offers it. */
      encryption: 'tls' | 'starttls' | 'if-offered';
      /** The name that the certificate must have; by default the host's. */
      certificateName: string | undefined;
      allowSelfSigned: boolean;
      username: string;
      password: string;
      from: { name: string | undefined; address: string };
    };

type SmtpServer = { host: string; port: number; encryption: 'tls' | 'starttls' | 'if-offered' };

const SMTP_PORT = 25;

/** @throws ConfigError for an unknown service */
export async function mailConfig(env: Env): Promise<MailConfig> {
  const carrier = env.EMAIL_SERVICE ? await smtpServerOf(env.EMAIL_SERVICE) : configuredSmtpServer(env);
  const { EMAIL_USERNAME: username, EMAIL_PASSWORD: password, EMAIL_FROM: address } = env;
  if (!carrier || !username || !password || !address) return { enabled: false };
  return {
    enabled: true,
    ...carrier,
    certificateName: env.EMAIL_ENCRYPTION_HOSTNAME,
    allowSelfSigned: env.EMAIL_ALLOW_SELFSIGNED ?? false,
    username,
    password,
    from: { name: env.EMAIL_FROM_NAME, address },
  };
}

/** The library's list of services is long: loaded only if a service is named. */
async function smtpServerOf(service: string): Promise<SmtpServer> {
  const { default: find } = await import('nodemailer/lib/well-known');
  const known = find(service);
  if (!known || !known.host)
    throw configError('EMAIL_SERVICE must be a service known by name, such as gmail; for any other give EMAIL_HOST.');
  const { host, port = SMTP_PORT, secure, requireTLS } = known;
  return { host, port: Number(port), encryption: secure ? 'tls' : requireTLS ? 'starttls' : 'if-offered' };
}

function configuredSmtpServer(env: Env): SmtpServer | null {
  const { EMAIL_HOST: host, EMAIL_PORT: port = SMTP_PORT, EMAIL_ENCRYPTION: encryption = 'if-offered' } = env;
  return host ? { host, port, encryption } : null;
}

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
