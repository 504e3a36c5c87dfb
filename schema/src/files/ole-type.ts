// Which program's file a compound file of old is, by the names of the streams in it.
import type { ByteSource } from './byte-source.ts';
import { fileEnding } from './file-types.ts';

const OLE = 'application/x-ole-storage';
const OFFICE = 'application/vnd.openxmlformats-officedocument';

const STREAMS: Readonly<Record<string, string>> = {
  WordDocument: 'application/msword',
  Workbook: 'application/vnd.ms-excel',
  Book: 'application/vnd.ms-excel',
  'PowerPoint Document': 'application/vnd.ms-powerpoint',
};
/** The names of the streams of a mail, as Outlook saves it, begin so. */
const MAIL = /^__(substg1\.0_|properties_version1\.0|nameid_version1\.0|recip_version1\.0_)/;
/** A newer document with a password is a stream of such a file. */
const LOCKED = 'EncryptedPackage';

/** By endings, where the directory is not found. */
const ENDINGS: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  dot: 'application/msword',
  msg: 'application/vnd.ms-outlook',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
};

const ENTRY_LENGTH = 128;
/** Of the directory: what matters stands at its beginning. */
const DIRECTORY_LENGTH = 64 * ENTRY_LENGTH;

export async function typeOfOle(file: ByteSource, name: string): Promise<string> {
  const names = await namesIn(file);
  const named = ENDINGS[fileEnding(name)];
  if (names.includes(LOCKED)) return named ?? OLE;
  const stream = names.find((one) => one in STREAMS);
  if (stream !== undefined) return STREAMS[stream] ?? OLE;
  if (names.some((one) => MAIL.test(one))) return 'application/vnd.ms-outlook';
  return named ?? OLE;
}

/** [MS-CFB], 2.2 and 2.6: where the directory is, and its entries. */
async function namesIn(file: ByteSource): Promise<string[]> {
  const header = await file.read(0, 512);
  if (header.length < 512) return [];
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  const sector = view.getUint16(30, true) === 12 ? 4096 : 512;
  const at = (view.getUint32(48, true) + 1) * sector;
  if (at >= file.size) return [];
  const directory = await file.read(at, DIRECTORY_LENGTH);
  const decoder = new TextDecoder('utf-16le');
  const names: string[] = [];
  for (let entry = 0; entry + ENTRY_LENGTH <= directory.length; entry += ENTRY_LENGTH) {
    const length = (directory[entry + 64] ?? 0) - 2;
    if (length > 0 && length <= 62) names.push(decoder.decode(directory.subarray(entry, entry + length)));
  }
  return names;
}
