// Mails as Outlook saves them: properties in the streams of a compound file. Read by the library that reads workbooks, in
// this process only.
import { writeMail } from '../eml.ts';
import { decodeBytes } from '../encodings/decode-bytes.ts';
import { knownEncoding } from '../encodings/decode.ts';
import { readBytes } from '../read-bytes.ts';
import { Unreadable, type Extract } from '../source.ts';

/** The whole file is in memory several times while it is read. */
const BYTES_MAX = 64 * 1024 * 1024;

/** [MS-OXPROPS]: the properties of a mail that a person sees. */
const SUBJECT = '0037';
const SENDER_NAME = '0C1A';
const SENDER_ADDRESS = '5D01';
const SENDER_ADDRESS_OLDER = '0C1F';
const TO = '0E04';
const CC = '0E03';
const BODY = '1000';
const HTML = '1013';
const FILE_NAME = '3707';
const FILE_NAME_SHORT = '3704';
const DISPLAY_NAME = '3001';
const SENT = 0x0039;
const DELIVERED = 0x0e06;
const CODE_PAGE = 0x3fde;

/** The part of the library that is used here; it comes without types. */
interface CompoundFile {
  FullPaths: string[];
  FileIndex: { content?: Uint8Array | number[] }[];
}

/** The streams of a storage, by their names. */
type Streams = ReadonlyMap<string, Uint8Array>;

export const extractMsg: Extract = async (path, sink) => {
  const storages = await readStorages(await readBytes(path, BYTES_MAX));
  const mail = storages.get('');
  if (!mail) throw new Unreadable('damaged');
  const numbers = readNumbers(mail.get('__properties_version1.0'));
  const encoding = knownEncoding(`windows-${numbers.get(CODE_PAGE) ?? 1252}`) ?? 'windows-1252';
  const text = (streams: Streams, id: string) => textOf(streams, id, encoding);
  const sender = text(mail, SENDER_NAME);
  const address = text(mail, SENDER_ADDRESS) || text(mail, SENDER_ADDRESS_OLDER);
  const attached = [...storages].filter(([name]) => name.startsWith('__attach_version1.0_'));
  const html = mail.get(`__substg1.0_${HTML}0102`);
  await writeMail(
    {
      from: address.includes('@') && address !== sender ? `${sender} <${address}>`.trim() : sender,
      to: text(mail, TO),
      cc: text(mail, CC),
      date: dateOf(numbers.get(SENT) ?? numbers.get(DELIVERED)),
      subject: text(mail, SUBJECT) || null,
      files: attached
        .map(([, one]) => text(one, FILE_NAME) || text(one, FILE_NAME_SHORT) || text(one, DISPLAY_NAME))
        .filter((name) => name !== ''),
      text: text(mail, BODY),
      html: html ? decodeBytes(html, declaredIn(html) ?? encoding) : text(mail, HTML),
    },
    sink,
  );
  return null;
};

/** The streams of the mail itself, under the empty name, and of what it holds. What lies deeper is of other mails. */
async function readStorages(bytes: Uint8Array): Promise<Map<string, Map<string, Uint8Array>>> {
  const { CFB } = await import('@e965/xlsx');
  const file: CompoundFile = CFB.read(bytes, { type: 'array' });
  const storages = new Map<string, Map<string, Uint8Array>>();
  for (const [at, path] of file.FullPaths.entries()) {
    const content = file.FileIndex[at]?.content;
    const [, ...names] = path.split('/');
    const name = names.pop() ?? '';
    if (names.length > 1 || name === '' || !content) continue;
    const storage = storages.get(names[0] ?? '') ?? new Map<string, Uint8Array>();
    storage.set(name, Uint8Array.from(content));
    storages.set(names[0] ?? '', storage);
  }
  return storages;
}

function textOf(streams: Streams, id: string, encoding: string): string {
  const wide = streams.get(`__substg1.0_${id}001F`);
  if (wide) return decodeBytes(wide, 'utf-16le').replaceAll('\0', '').trim();
  const narrow = streams.get(`__substg1.0_${id}001E`);
  return narrow ? decodeBytes(narrow, encoding).replaceAll('\0', '').trim() : '';
}

function declaredIn(html: Uint8Array): string | undefined {
  const head = Buffer.from(html.subarray(0, 1024)).toString('latin1');
  return knownEncoding(/charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1]);
}

/** [MS-OXMSG] 2.4: after a header, sixteen bytes each: type, id, flags, and a number of up to eight bytes. */
const HEADER_LENGTH = 32;

function readNumbers(stream: Uint8Array = new Uint8Array()): Map<number, number> {
  const numbers = new Map<number, number>();
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  for (let at = HEADER_LENGTH; at + 16 <= stream.length; at += 16) {
    const isTime = view.getUint16(at, true) === 0x0040;
    const value = isTime ? Number(view.getBigUint64(at + 8, true)) : view.getInt32(at + 8, true);
    numbers.set(view.getUint16(at + 2, true), value);
  }
  return numbers;
}

/** Hundreds of nanoseconds since 1601 as a date of the world's time; null for none. */
function dateOf(time: number | undefined): string | null {
  if (time === undefined) return null;
  const date = new Date(time / 10_000 - 11_644_473_600_000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace(/\.\d+Z$/, 'Z');
}
