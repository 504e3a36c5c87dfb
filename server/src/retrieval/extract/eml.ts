// E-mails: who wrote what to whom and when, the text, and the names of what is attached.
import type { Address } from 'postal-mime';
import { readHtml } from './html.ts';
import { readBytes } from './read-bytes.ts';
import type { Extract } from './source.ts';

/** The whole mail is in memory while it is read. */
const BYTES_MAX = 64 * 1024 * 1024;

export const extractEml: Extract = async (path, sink) => {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(await readBytes(path, BYTES_MAX));
  const subject = mail.subject ?? null;
  const files = (mail.attachments ?? []).flatMap(({ filename }) => filename ?? []);
  const head = [
    line('From', mail.from ? [mail.from] : []),
    line('To', mail.to),
    line('Cc', mail.cc),
    mail.date ? `Date: ${mail.date}` : '',
    subject === null ? '' : `Subject: ${subject}`,
    files.length > 0 ? `Attached: ${files.join(', ')}` : '',
  ].filter((one) => one !== '');
  sink.write({ page: null, heading: subject, text: head.join('\n') });
  if (mail.text !== undefined && mail.text.trim() !== '') sink.write({ page: null, heading: subject, text: mail.text });
  else if (mail.html !== undefined) await readHtml(once(mail.html), { sink, title: subject });
  return null;
};

function line(label: string, addresses: readonly Address[] = []): string {
  const shown = addresses.map(({ name, address }) => (name && address ? `${name} <${address}>` : (address ?? name)));
  return shown.length > 0 ? `${label}: ${shown.join(', ')}` : '';
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
