import { createServer, type AddressInfo, type Socket } from 'node:net';
import { passwordChangedEmail, resetEmail } from '@parley/server/auth/email-templates';
import { loadConfig } from '@parley/server/load-config';
import { createMail, type Email, type Mail } from '@parley/server/platform/mail';
import pino from 'pino';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { linkIn, startMailServer, type MailServer } from '../../support/accounts/mail-server.ts';

const LINK = `https://chat.example/reset-password?token=${'0'.repeat(64)}&userId=5d2c8a3e-0000-4000-8000-000000000001`;
const ALICE = { name: 'Alice', email: 'alice@example.com' };
const LETTER = resetEmail('Our Parley', ALICE, LINK);

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function openPostOffice(options?: SMTPServerOptions): Promise<MailServer> {
  const server = await startMailServer(options);
  closers.push(server.close);
  return server;
}

async function openMail(
  env: Record<string, string>,
  timings = { mailGraceMs: 60_000 },
): Promise<{ mail: Mail; lines: string[] }> {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const mail = createMail(await loadConfig({ env, cwd: createFolder() }), log, timings);
  if (!mail) throw new Error('No mail server was given');
  return { mail, lines };
}

/** Sends one letter, and waits until it has arrived or failed. */
async function sendOne(env: Record<string, string>, letter: Email = LETTER): Promise<string[]> {
  const { mail, lines } = await openMail(env);
  mail.send(async () => letter);
  await mail.close();
  return lines;
}

describe('an e-mail', () => {
  test('arrives with its sender, recipient and content, as text and as HTML', async () => {
    const server = await openPostOffice();
    expect(await sendOne({ ...server.env, EMAIL_FROM_NAME: 'Müller & Söhne' })).toEqual([]);
    expect(server.letters).toHaveLength(1);
    const [letter] = server.letters;
    expect(letter).toMatchObject({ from: 'parley@example.com', to: ['alice@example.com'] });
    expect(letter?.head).toMatchObject({
      from: expect.stringMatching(/^=\?UTF-8\?Q\?M=C3=BCller.*\?= <parley@example\.com>$/),
      to: 'alice@example.com',
      subject: 'Reset your password for Our Parley',
      'auto-submitted': 'auto-generated',
    });
    expect(letter?.text).toContain('Hello Alice,');
    expect(letter && linkIn(letter)).toBe(LINK);
    expect(letter?.html).toContain(`<a href="${LINK.replace('&', '&#38;')}">Choose a new password</a>`);
  });

  test('is sent in the name of the product unless another is configured', async () => {
    const server = await openPostOffice();
    await sendOne({ ...server.env, APP_TITLE: 'Our Parley' });
    expect(server.letters[0]?.head['from']).toBe('Our Parley <parley@example.com>');
  });

  test.each(['bob@example.com,eve@example.com', 'bob@example.com>\r\nRCPT TO:<eve@example.com', '"b,e"@example.com'])(
    'to %j is not sent, and the log does not contain the address',
    async (to) => {
      const server = await openPostOffice();
      const lines = await sendOne(server.env, { ...LETTER, to });
      expect(server.letters).toEqual([]);
      expect(lines).toHaveLength(1);
      expect(lines[0]).not.toContain('example.com');
    },
  );

  test('has one header, whatever the product is called', async () => {
    const server = await openPostOffice();
    const title = 'Parley\r\nBcc: eve@example.com\r\n\r\nHello';
    await sendOne(server.env, resetEmail(title, ALICE, LINK));
    const [letter] = server.letters;
    expect(letter?.to).toEqual(['alice@example.com']);
    expect(letter?.head).not.toHaveProperty('bcc');
    expect(letter?.head['subject']).toContain('Bcc: eve@example.com');
  });

  test('escapes names, and leaves out names that clients would turn into links', async () => {
    const { text, html } = resetEmail('<b>Parley</b>', { ...ALICE, name: '<img src=x onerror=alert(1)>"' }, LINK);
    expect(html).not.toMatch(/<(img|b)\b/);
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;&#34;');
    expect(text).toContain('<img src=x');
    for (const name of ['Win at evil.example', 'https://evil.example', 'eve@evil', 'evil.example'])
      expect(passwordChangedEmail('Parley', { ...ALICE, name }).text).toMatch(/^Hello,\n/);
    for (const name of ['J. R. Hartley', 'Dr. Ōe', "O'Neill"])
      expect(passwordChangedEmail('Parley', { ...ALICE, name }).text.split('\n')[0]).toBe(`Hello ${name},`);
  });
});

describe('the connection to the mail server', () => {
  test('is encrypted when that is offered', async () => {
    const server = await openPostOffice();
    await sendOne(server.env);
    expect(server.letters[0]?.wasEncrypted).toBe(true);
  });

  test('is not encrypted when that is not offered', async () => {
    const server = await openPostOffice({ hideSTARTTLS: true });
    await sendOne(server.env);
    expect(server.letters[0]?.wasEncrypted).toBe(false);
  });

  test('is encrypted with starttls or not used', async () => {
    const starttls = { EMAIL_ENCRYPTION: 'starttls' };
    const server = await openPostOffice();
    await sendOne({ ...server.env, ...starttls });
    expect(server.letters[0]?.wasEncrypted).toBe(true);

    const tried: string[] = [];
    const plain = await openPostOffice({
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username = '' }, _session, done) => {
        tried.push(username);
        done(null, { user: username });
      },
    });
    expect(await sendOne({ ...plain.env, ...starttls })).toHaveLength(1);
    expect(plain.letters).toEqual([]);
    expect(tried).toEqual([]);
  });

  test('gets neither password nor mail when it offers encryption and then refuses it', async () => {
    const { port, commands } = await openRefusingUpgrade();
    const lines = await sendOne({ ...SOMEWHERE, EMAIL_PORT: String(port) });
    expect(lines.map(told)).toEqual([{ code: 'ETLS', command: 'STARTTLS', status: 454 }]);
    expect(commands).toEqual(['EHLO', 'STARTTLS']);
  });

  test('is encrypted with tls from the first byte', async () => {
    const server = await openPostOffice({ secure: true });
    expect(await sendOne({ ...server.env, EMAIL_ENCRYPTION: 'tls' })).toEqual([]);
    expect(server.letters[0]?.wasEncrypted).toBe(true);
  });

  test.each([
    ['tls', { secure: true }],
    ['starttls', {}],
  ])('by %s needs a valid certificate, unless configured otherwise', async (encryption, options) => {
    const server = await openPostOffice(options);
    const env = { ...server.env, EMAIL_ENCRYPTION: encryption };
    const lines = await sendOne({ ...env, EMAIL_ALLOW_SELFSIGNED: 'false' });
    expect(server.letters).toEqual([]);
    expect(lines.map(told)).toEqual([{ code: 'ESOCKET', cause: 'CERT_HAS_EXPIRED', command: 'CONN' }]);
    expect(await sendOne(env)).toEqual([]);
    expect(server.letters).toHaveLength(1);
  });

  test('checks the certificate against another name when configured', async () => {
    const server = await openPostOffice({ secure: true });
    await sendOne({ ...server.env, EMAIL_ENCRYPTION: 'tls', EMAIL_ENCRYPTION_HOSTNAME: 'mail.example.com' });
    expect(server.namesAsked).toEqual(['mail.example.com']);
  });
});

describe('a mail failure', () => {
  test('is logged once and without the address: a wrong password', async () => {
    const server = await openPostOffice();
    const lines = await sendOne({ ...server.env, EMAIL_PASSWORD: 'wrong words' });
    expect(lines.map(told)).toEqual([{ code: 'EAUTH', command: 'AUTH PLAIN', status: 535 }]);
    expect(lines.join()).not.toMatch(/alice|wrong words|token=/);
  });

  test('is logged for a recipient that the mail server refuses', async () => {
    const server = await openPostOffice({
      onRcptTo: ({ address }, _session, done) => done(new Error(`No ${address} here`)),
    });
    const lines = await sendOne(server.env);
    expect(lines.map(told)).toEqual([{ code: 'EENVELOPE', command: 'RCPT TO', status: 550 }]);
    expect(lines.join()).not.toContain('alice');
  });

  test('is logged for a mail server that is down', async () => {
    const server = await startMailServer();
    await server.close();
    const lines = await sendOne(server.env);
    expect(lines.map(told)).toEqual([{ code: 'ESOCKET', cause: 'ECONNREFUSED', command: 'CONN' }]);
  });

  test("in building one e-mail doesn't affect the next", async () => {
    const server = await openPostOffice();
    const { mail, lines } = await openMail(server.env);
    mail.send(() => Promise.reject(new Error('No ink')));
    mail.send(async () => null);
    mail.send(async () => LETTER);
    await mail.close();
    expect(lines.map(told)).toEqual([{ error: 'Error', message: 'No ink' }]);
    expect(server.letters).toHaveLength(1);
  });
});

describe('a shutdown', () => {
  test('waits for e-mails in transit and in the queue', async () => {
    const server = await openPostOffice();
    const { mail } = await openMail(server.env);
    for (let n = 0; n < 12; n++) mail.send(async () => LETTER);
    await mail.close();
    expect(server.letters).toHaveLength(12);
  });

  test('does not wait forever', async () => {
    const { port, connections } = await openSilence();
    const { mail, lines } = await openMail({ ...SOMEWHERE, EMAIL_PORT: String(port) }, { mailGraceMs: 50 });
    for (let n = 0; n < 6; n++) mail.send(async () => LETTER);
    await expect.poll(() => connections.size).toBe(4);
    await mail.close();
    expect(lines.map(told)).toEqual([...Array(4).fill({ code: 'EABORT' }), { why: 'the server stops with 2 unsent' }]);
  });
});

const SOMEWHERE = { EMAIL_HOST: '127.0.0.1', EMAIL_USERNAME: 'u', EMAIL_PASSWORD: 'p', EMAIL_FROM: 'p@example.com' };

/** A server that is called and never answers. */
async function openSilence() {
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, connections };
}

/**
 * A server that offers STARTTLS and then answers as RFC 3207, section 4, says: 454 "TLS not available due to temporary
 * reason". It takes everything else.
 */
async function openRefusingUpgrade() {
  const commands: string[] = [];
  const answers: Record<string, string> = {
    EHLO: '250-mail.example.com\r\n250-AUTH PLAIN LOGIN\r\n250 STARTTLS',
    STARTTLS: '454 4.7.0 TLS not available due to temporary reason',
    AUTH: '235 Authentication successful',
    DATA: '354 Go ahead',
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.example.com ESMTP\r\n');
    socket.setEncoding('utf8').on('data', (text: string) => {
      const [command = ''] = text.trim().split(' ', 1);
      commands.push(command);
      socket.write(`${answers[command] ?? '250 OK'}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return { port: (server.address() as AddressInfo).port, commands };
}

/** What a line of the log contains of this failure. */
function told(line: string): object {
  const { level, msg, event, frames: _frames, ...rest } = JSON.parse(line) as Record<string, unknown>;
  expect([level, msg, event]).toEqual([50, expect.any(String), 'mail.failed']);
  return rest;
}
