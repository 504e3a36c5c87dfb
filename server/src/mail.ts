// The operator's mail server. A letter is written and sent after the answer to whoever asked for it, so that neither the
// time this takes nor its failure tells them anything.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { isMailAddress } from './config/addresses.ts';
import { reportFault } from './report.ts';

export interface Letter {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Gives the letter, or null when there is nobody to write to. */
export type Writer = () => Promise<Letter | null>;

export interface Mail {
  /** Writes and sends a letter in a while. What fails is in the log. */
  send(write: Writer): void;
  /** Waits for what is on its way, for some seconds at most. */
  close(): Promise<void>;
}

/** Of each step: finding the server, its greeting, and every answer of it. */
const TIMEOUT_MS = 10_000;
/** Letters on their way at the same time: mail servers turn away who comes with many connections. */
const AT_ONCE = 4;
/** When so many wait, the mail server is gone or the site is abused; either way the memory is needed elsewhere. */
const WAITING_MAX = 1_000;
/** How long a shutdown waits. */
const GRACE_MS = 8_000;

/** Null when the operator has given no mail server. */
export function createMail(config: Pick<Config, 'mail' | 'startup'>, log: Logger): Mail | null {
  if (!config.mail.enabled) return null;
  const connect = createConnect(config.mail);
  const from = { name: config.mail.from.name ?? config.startup.appTitle, address: config.mail.from.address };
  const waiting: Writer[] = [];
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();

  return {
    send(write) {
      if (waiting.length >= WAITING_MAX) return log.error('a mail was not sent: too many are waiting');
      waiting.push(write);
      next();
    },
    async close() {
      const giveUp = setTimeout(() => closing.abort(), GRACE_MS);
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(giveUp);
      if (waiting.length > 0) log.error({ count: waiting.length }, 'mails were not sent: the server has ended');
    },
  };

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

  async function deliver(write: Writer): Promise<void> {
    await nextTurn();
    try {
      const letter = await write();
      if (letter) await carry(letter);
    } catch (error) {
      reportFault(log, error instanceof Error ? error : new Error(String(error)), 'mail');
    }
  }

  async function carry({ to, ...content }: Letter): Promise<void> {
    if (!isMailAddress(to)) return log.error('a mail was not sent: nothing can be sent to an address like this');
    try {
      const transport = await connect();
      await transport.sendMail({
        ...content,
        from,
        // As an object it is one recipient, whatever it looks like.
        to: { name: '', address: to },
        // Nobody's absence is told to a machine.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: closing.signal,
      });
    } catch (error) {
      log.error(failureOf(error), 'a mail could not be sent');
    }
  }
}

/** The library is loaded with the first letter. */
function createConnect(settings: Extract<Config['mail'], { enabled: true }>): () => Promise<Transporter> {
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

/** What the operator needs to know. The message is left out: it may quote the recipient's address. */
function failureOf(error: unknown): Record<string, unknown> {
  const { code, originalCode, command, responseCode } = error as Record<string, unknown>;
  return { code, cause: originalCode, command, status: responseCode };
}
