// Mailboxes: many mails in one file, each behind a line that begins with 'From ' (RFC 4155).
import { readMail } from './eml.ts';
import { readBytes } from './read-bytes.ts';
import { Unreadable, type Extract } from './source.ts';

/** The whole mailbox is in memory while it is read. */
const BYTES_MAX = 64 * 1024 * 1024;

const FROM = 'From ';

export const extractMbox: Extract = async (path, sink) => {
  // Every byte is a character here: each mail says its own encodings.
  const source = Buffer.from((await readBytes(path, BYTES_MAX)).buffer).toString('latin1');
  if (!source.startsWith(FROM)) throw new Unreadable('damaged');
  for (let at = 0; at < source.length;) {
    const next = beginOfNext(source, at + 1);
    const [, ...lines] = source.slice(at, next).split('\n');
    // A line of a text that begins like the one between mails is quoted by its writer.
    const mail = lines.map((line) => (/^>+From /.test(line) ? line.slice(1) : line)).join('\n');
    await readMail(Buffer.from(mail, 'latin1'), sink);
    at = next;
  }
  return null;
};

/** Mails are divided by an empty line, too. */
function beginOfNext(source: string, from: number): number {
  for (let at = source.indexOf(`\n${FROM}`, from); at >= 0; at = source.indexOf(`\n${FROM}`, at + 1)) {
    if (source[at - 1] === '\n' || source.startsWith('\n\r', at - 2)) return at + 1;
  }
  return source.length;
}
