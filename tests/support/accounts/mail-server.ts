// A mail server that speaks real SMTP on its own port, accepts one user and keeps the messages it receives.
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface MailServer {
  port: number;
  /** The environment that makes Parley use it. */
  env: Record<string, string>;
  letters: ReceivedLetter[];
  /** The server name (SNI) that each encrypted connection asked for. */
  namesAsked: string[];
  close(): Promise<void>;
}

export interface ReceivedLetter {
  /** The envelope. */
  from: string;
  to: string[];
  wasEncrypted: boolean;
  /** Header names in lower case. */
  head: Record<string, string>;
  text: string;
  html: string;
}

const USERNAME = 'postman';
const PASSWORD = 'rain or shine';

/** Its certificate is the library's own, signed by no authority. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const letters: ReceivedLetter[] = [];
  const namesAsked: string[] = [];
  const server = new SMTPServer({
    // Without this it warns on the console about the certificate.
    logger: false,
    closeTimeout: 1,
    onAuth: ({ username, password }, _session, done) =>
      username === USERNAME && password === PASSWORD ? done(null, { user: username }) : done(new Error('Who are you?')),
    onSecure: (_socket, { servername }, done) => {
      namesAsked.push(servername || '');
      done();
    },
    onData: (stream, { envelope, secure }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const to = envelope.rcptTo.map(({ address }) => address);
      let raw = '';
      stream.setEncoding('utf8').on('data', (piece: string) => (raw += piece));
      stream.once('end', () => {
        letters.push({ from, to, wasEncrypted: secure, ...read(raw) });
        done();
      });
    },
    ...options,
  });
  // Some tests break the connection on purpose.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    env: {
      EMAIL_HOST: '127.0.0.1',
      EMAIL_PORT: String(port),
      EMAIL_ALLOW_SELFSIGNED: 'true',
      EMAIL_USERNAME: USERNAME,
      EMAIL_PASSWORD: PASSWORD,
      EMAIL_FROM: 'parley@example.com',
    },
    letters,
    namesAsked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The link in a message. */
export function linkIn({ text }: ReceivedLetter): string {
  return /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '';
}

function read(raw: string): Pick<ReceivedLetter, 'head' | 'text' | 'html'> {
  const { head, body } = partOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(head['content-type'] ?? '')?.[1] ?? '';
  const parts = body.split(`--${boundary}`).map((part) => partOf(part.replace(/^\r\n/, '')));
  return { head, text: contentOf(parts, 'text/plain'), html: contentOf(parts, 'text/html') };
}

interface Part {
  head: Record<string, string>;
  body: string;
}

function partOf(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n');
  const pairs = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return { head: Object.fromEntries(pairs) as Part['head'], body: raw.slice(end + 4) };
}

function contentOf(parts: Part[], type: string): string {
  const part = parts.find(({ head }) => head['content-type']?.startsWith(type));
  const isQuoted = part?.head['content-transfer-encoding'] === 'quoted-printable';
  const content = (part?.body ?? '').replaceAll('\r\n', '\n');
  return isQuoted ? unquoted(content) : content;
}

function unquoted(content: string): string {
  const joined = content.replaceAll('=\n', '');
  return decodeURIComponent(joined.replaceAll('%', '%25').replaceAll(/=([\dA-F]{2})/g, '%$1'));
}
