// Sends mail through the operator's SMTP server. Mails are built and sent after the response to the request, so neither
// their duration nor their failure reveals anything.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { asFields } from '@parley/schema/json';
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import type { DeepReadonly } from '../config/freeze.ts';
import type { MailConfig } from '../config/parts/mail.ts';
import { isMailAddress } from '../config/addresses.ts';
import { logError } from './log-error.ts';
import { defaultTimings, type Timings } from '../config/timings.ts';

export interface Email {
  /** A single address. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Builds the mail; null when there is no recipient. */
export type EmailBuilder = () => Promise<Email | null>;

export interface Mail {
  /** Queues a mail. Failures are logged. */
  send(write: EmailBuilder): void;
  /** When the last one could not be sent, since this process began; null where it could, or none was. */
  failedAt(): string | null;
  /** Waits for queued mails, at most a few seconds. */
  close(): Promise<void>;
}

/** Time limit of each step: connecting, greeting, and each response. */
const TIMEOUT_MS = 10_000;
/** Concurrent deliveries: mail servers reject clients with many connections. */
const AT_ONCE = 4;
/** Queue limit: beyond it the mail server is down or the site is abused, and memory must stay bounded. */
const WAITING_MAX = 1_000;

/** Null when no mail server is configured. */
export function createMail(
  config: { mail: DeepReadonly<MailConfig>; startup: { appTitle: string } },
  log: Logger,
  { mailGraceMs }: Pick<Timings, 'mailGraceMs'> = defaultTimings,
): Mail | null {
  if (!config.mail.enabled) return null;
  const connect = createConnect(config.mail);
  const from = { name: config.mail.from.name ?? config.startup.appTitle, address: config.mail.from.address };
  const waiting: EmailBuilder[] = [];
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();
  let failedAt: string | null = null;

  return {
    failedAt: () => failedAt,
    send(write) {
      if (waiting.length >= WAITING_MAX) return failed('too many are waiting');
      waiting.push(write);
      next();
    },
    async close() {
      const giveUp = setTimeout(() => closing.abort(), mailGraceMs);
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(giveUp);
      if (waiting.length > 0) failed(`the server stops with ${waiting.length} unsent`);
    },
  };

  function failed(why: string): void {
    log.error({ event: 'mail.failed', why }, 'A mail could not be sent');
  }

  function next(): void {
    if (closing.signal.aborted || underWay.size >= AT_ONCE) return;
    const write = waiting.shift();
    if (!write) return;
    const sending = deliver(write).finally(() => {
      underWay.delete(sending);
      next();
    });
    underWay.add(sending);
  }

  async function deliver(write: EmailBuilder): Promise<void> {
    await nextTurn();
    try {
      const letter = await write();
      if (letter) await carry(letter);
    } catch (error) {
      logError(log, error, { event: 'mail.failed' });
    }
  }

  async function carry({ to, ...content }: Email): Promise<void> {
    if (!isMailAddress(to)) return failed('the address is not one that mail can be sent to');
    try {
      const transport = await connect();
      await transport.sendMail({
        ...content,
        from,
        // An object is always one recipient, whatever the text contains.
        to: { name: '', address: to },
        // Suppresses out-of-office replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: closing.signal,
      });
      failedAt = null;
    } catch (error) {
      failedAt = new Date().toISOString();
      log.error({ event: 'mail.failed', ...failureOf(error) }, 'A mail could not be sent');
    }
  }
}

/** Loads the library with the first mail. */
function createConnect(settings: Extract<DeepReadonly<MailConfig>, { enabled: true }>): () => Promise<Transporter> {
  const { host, port, encryption, certificateName, allowSelfSigned, username, password } = settings;
  let transport: Promise<Transporter> | null = null;
  return () => (transport ??= open());

  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host,
      port,
      secure: encryption === 'tls',
      requireTLS: encryption === 'starttls',
      tls: { rejectUnauthorized: !allowSelfSigned, ...(certificateName && { servername: certificateName }) },
      auth: { user: username, pass: password },
      dnsTimeout: TIMEOUT_MS,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}

/** What to log about a failed delivery, without the message: it may quote the recipient's address. */
function failureOf(error: unknown): Record<string, unknown> {
  const { code, originalCode, command, responseCode } = asFields(error);
  return { code, cause: originalCode, command, status: responseCode };
}
