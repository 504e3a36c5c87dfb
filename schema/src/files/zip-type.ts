// Which kind of ZIP archive a file is: by the names in its directory, whatever their order, and by the entry `mimetype`
// of books and OpenDocument files, compressed or not.
import type { ByteSource } from './byte-source.ts';
import { fileEnding } from './file-types.ts';

/** The end record and the longest comment behind it. */
const END_MAX = 22 + 65_535;
/** Enough of the directory: office programs write their parts first. */
const DIRECTORY_MAX = 1024 * 1024;
const ENTRIES_MAX = 10_000;

const ZIP = 'application/zip';
const EPUB = 'application/epub+zip';
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
const OPEN_ENDINGS: Readonly<Record<string, string>> = { odt: 'text', ods: 'spreadsheet', odp: 'presentation' };

interface Entry {
  /** Where its local header stands. */
  at: number;
  packed: number;
  isStored: boolean;
}

export async function typeOfZip(file: ByteSource, name: string): Promise<string> {
  const entries = await readDirectory(file);
  const names = [...entries.keys()];
  if (entries.has('[Content_Types].xml')) {
    const has = (folder: string) => names.some((one) => one.startsWith(folder));
    if (has('word/')) return `${OFFICE}.wordprocessingml.document`;
    if (has('ppt/')) return `${OFFICE}.presentationml.presentation`;
    return has('xl/') ? `${OFFICE}.spreadsheetml.sheet` : ZIP;
  }
  const apple = typeOfApple(names, name);
  if (apple !== null) return apple;
  if (entries.has('META-INF/container.xml') && names.some((one) => /\.opf$/i.test(one))) return EPUB;
  const type = await readMimetype(file, entries.get('mimetype'));
  if (type === EPUB || type.startsWith(`${OPEN}.`)) return type;
  if (!entries.has('META-INF/manifest.xml') || !entries.has('content.xml')) return ZIP;
  const kind = OPEN_ENDINGS[fileEnding(name)];
  return kind === undefined ? ZIP : `${OPEN}.${kind}`;
}

/** A document of Pages, Numbers or Keynote, which only those read; null for other archives. */
function typeOfApple(names: readonly string[], name: string): string | null {
  if (!names.some((one) => /^(Index\.zip|Index\/.+\.iwa|index\.(xml|apxl)(\.gz)?)$/.test(one))) return null;
  const ending = fileEnding(name);
  if (
    names.some((one) => /^(Index\/(Slide|MasterSlide|TemplateSlide)\b.*\.iwa|index\.apxl.*)$/.test(one)) ||
    ending === 'key'
  )
    return 'application/vnd.apple.keynote';
  if (ending === 'numbers') return 'application/vnd.apple.numbers';
  const isPages = ending === 'pages' || names.some((one) => /^Index(\.zip|\/Document\.iwa)$/.test(one));
  return isPages ? 'application/vnd.apple.pages' : null;
}

/** The entries by their names; none when the archive is damaged. */
async function readDirectory(file: ByteSource): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  const tail = await file.read(Math.max(0, file.size - END_MAX), END_MAX);
  const end = lastEnd(tail);
  if (end === null) return entries;
  const directory = await file.read(end.getUint32(16, true), Math.min(end.getUint32(12, true), DIRECTORY_MAX));
  const view = viewOf(directory);
  const decoder = new TextDecoder();
  for (let at = 0; at + 46 <= directory.length && entries.size < ENTRIES_MAX;) {
    if (view.getUint32(at, true) !== 0x02014b50) break;
    const nameLength = view.getUint16(at + 28, true);
    entries.set(decoder.decode(directory.subarray(at + 46, at + 46 + nameLength)), {
      at: view.getUint32(at + 42, true),
      packed: view.getUint32(at + 20, true),
      isStored: view.getUint16(at + 10, true) === 0,
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The record that ends the archive. */
function lastEnd(tail: Uint8Array): DataView | null {
  const view = viewOf(tail);
  for (let at = tail.length - 22; at >= 0; at--)
    if (view.getUint32(at, true) === 0x06054b50) return viewOf(tail.subarray(at));
  return null;
}

/** More than the longest type and its packing. */
const MIMETYPE_MAX = 256;

/** What the archive says that it is; empty when it does not, or cannot be read. */
async function readMimetype(file: ByteSource, entry: Entry | undefined): Promise<string> {
  if (!entry || entry.packed > MIMETYPE_MAX) return '';
  const header = await file.read(entry.at, 30);
  if (header.length < 30) return '';
  const view = viewOf(header);
  const packed = await file.read(entry.at + 30 + view.getUint16(26, true) + view.getUint16(28, true), entry.packed);
  try {
    return (await textOf(packed, entry.isStored)).trim();
  } catch {
    return '';
  }
}

async function textOf(packed: Uint8Array, isStored: boolean): Promise<string> {
  if (isStored) return new TextDecoder().decode(packed);
  const pieces = new Blob([Uint8Array.from(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  // The first piece: what is longer than that is no type.
  const { value = new Uint8Array() } = await pieces.getReader().read();
  return new TextDecoder().decode(value);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
