// E-mails: who wrote what to whom and when, the text, and the names of what is attached.
import type { Address } from 'postal-mime';
import { readHtml } from './html.ts';
import { readBytes } from './read-bytes.ts';
import type { Extract, Sink } from './source.ts';

/** The whole mail is in memory while it is read. */
const BYTES_MAX = 64 * 1024 * 1024;

export const extractEml: Extract = async (path, sink) => {
  await readMail(await readBytes(path, BYTES_MAX), sink);
  return null;
};

/** @param bytes of one mail as it is sent (RFC 5322) */
export async function readMail(bytes: Uint8Array, sink: Sink): Promise<void> {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(bytes);
  await writeMail(
    {
      from: namesOf(mail.from ? [mail.from] : []),
      to: namesOf(mail.to),
      cc: namesOf(mail.cc),
      date: mail.date ?? null,
      subject: mail.subject ?? null,
      files: (mail.attachments ?? []).flatMap(({ filename }) => filename ?? []),
      text: mail.text ?? '',
      html: mail.html ?? '',
    },
    sink,
  );
}

/** What a person sees of a mail. */
export interface Mail {
  from: string;
  to: string;
  cc: string;
  date: string | null;
  subject: string | null;
  /** The names of what is attached. */
  files: readonly string[];
  text: string;
  /** Told where there is no text. */
  html: string;
}

export async function writeMail({ subject, date, files, text, html, ...people }: Mail, sink: Sink): Promise<void> {
  const head = [
    people.from && `From: ${people.from}`,
    people.to && `To: ${people.to}`,
    people.cc && `Cc: ${people.cc}`,
    date ? `Date: ${date}` : '',
    subject === null ? '' : `Subject: ${subject}`,
    files.length > 0 ? `Attached: ${files.join(', ')}` : '',
  ].filter((line) => line !== '');
  sink.write({ page: null, heading: subject, text: head.join('\n') });
  if (text.trim() !== '') sink.write({ page: null, heading: subject, text });
  else if (html !== '') await readHtml(once(html), { sink, title: subject, tellsAddresses: true });
}

function namesOf(addresses: readonly Address[] = []): string {
  return addresses
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : (address ?? name)))
    .join(', ');
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
