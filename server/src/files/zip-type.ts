// Which kind of zip archive a file is, by the names in its directory. Extracts nothing.
import type { FileHandle } from 'node:fs/promises';

/** The end record and the longest comment behind it. */
const END_MAX = 22 + 65_535;
/** Enough of the directory: office programs write their parts first. */
const DIRECTORY_MAX = 1024 * 1024;
const ENTRIES_MAX = 10_000;

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const EPUB = 'application/epub+zip';

export async function typeOfZip(file: FileHandle): Promise<string> {
  const start = await readAt(file, 0, 64);
  // Its first entry, stored without compression, contains its type.
  if (start.includes(`mimetype${EPUB}`)) return EPUB;
  const names = await namesIn(file);
  if (!names.includes('[Content_Types].xml')) return 'application/zip';
  const has = (folder: string) => names.some((name) => name.startsWith(folder));
  if (has('word/')) return `${OFFICE}.wordprocessingml.document`;
  if (has('ppt/')) return `${OFFICE}.presentationml.presentation`;
  return has('xl/') ? `${OFFICE}.spreadsheetml.sheet` : 'application/zip';
}

/** The names in the directory at the end of the archive; none when it is damaged. */
async function namesIn(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat();
  const from = Math.max(0, size - END_MAX);
  const tail = await readAt(file, from, size - from);
  const end = tail.lastIndexOf('PK\x05\x06');
  if (end < 0 || tail.length - end < 22) return [];
  const record = Buffer.from(tail, 'latin1').subarray(end);
  const length = Math.min(record.readUInt32LE(12), DIRECTORY_MAX);
  return namesOf(Buffer.from(await readAt(file, record.readUInt32LE(16), length), 'latin1'));
}

function namesOf(directory: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + 46 <= directory.length && names.length < ENTRIES_MAX;) {
    if (directory.readUInt32LE(at) !== 0x02014b50) break;
    const nameLength = directory.readUInt16LE(at + 28);
    names.push(directory.toString('latin1', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return names;
}

async function readAt(file: FileHandle, at: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.toString('latin1', 0, bytesRead);
}
