// Books: the chapters in the order in which they are read, each under its title.
import { decode } from './encodings/decode.ts';
import { readHtml } from './html.ts';
import { resolveName } from './office/package.ts';
import { Unreadable, type Extract } from './source.ts';
import { readXml, type XmlReader } from './xml.ts';
import { openZip, ZipFault, type Zip } from '../../platform/zip/read-zip.ts';

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';

interface Book {
  chapters: string[];
  /** The table of contents: that of EPUB 2, which version 3 may keep for old readers, else that of version 3. */
  contents: string | null;
}

export const extractEpub: Extract = async (path, sink) => {
  const zip = await openZip(path);
  const { chapters, contents } = await readBook(zip, await readRoot(zip));
  const titles = contents !== null && zip.has(contents) ? await readTitles(zip, contents) : new Map<string, string>();
  const locked = zip.has(ENCRYPTION) ? await readEncrypted(zip) : new Set<string>();
  if (chapters.some((chapter) => locked.has(chapter))) throw new Unreadable('encrypted');
  for (const chapter of chapters) {
    if (!zip.has(chapter)) continue;
    await readHtml(chapterText(zip, chapter), { sink, title: titles.get(chapter) ?? null, tellsAddresses: true }, true);
  }
  return null;
};

/** Chapters are UTF-8 in books that keep to the format. */
async function* chapterText(zip: Zip, name: string): AsyncGenerator<string> {
  yield* decode(zip.read(name), 'utf-8');
}

/** Where the package document of the book is. */
async function readRoot(zip: Zip): Promise<string> {
  let root: string | null = null;
  await readXml(zip, CONTAINER, {
    open(tag, { 'full-path': target }) {
      if (tag === 'rootfile' && target !== undefined) root ??= target;
    },
  });
  if (root === null) throw new Unreadable('damaged');
  return root;
}

async function readBook(zip: Zip, root: string): Promise<Book> {
  const folder = root.slice(0, root.lastIndexOf('/') + 1);
  const items = new Map<string, { name: string; type: string; isContents: boolean }>();
  const chapters: string[] = [];
  let contents: string | null = null;
  await readXml(zip, root, {
    open(tag, attributes) {
      const { id = '', href = '', 'media-type': type = '', idref = '', toc, properties = '' } = attributes;
      const isContents = properties.split(' ').includes('nav');
      if (tag === 'item') items.set(id, { name: nameOf(folder, href), type, isContents });
      if (tag === 'spine' && toc !== undefined) contents = items.get(toc)?.name ?? null;
      const item = tag === 'itemref' ? items.get(idref) : undefined;
      if (item && /html/.test(item.type)) chapters.push(item.name);
    },
  });
  const all = [...items.values()];
  contents ??= all.find(({ type }) => type === 'application/x-dtbncx+xml')?.name ?? null;
  contents ??= all.find(({ isContents }) => isContents)?.name ?? null;
  return { chapters: [...new Set(chapters)], contents };
}

/** The titles that the table of contents gives to files; the first of each, which is that of the whole. */
async function readTitles(zip: Zip, contents: string): Promise<Map<string, string>> {
  const folder = contents.slice(0, contents.lastIndexOf('/') + 1);
  const titles = new Map<string, string>();
  let label = '';
  let inLabel = false;
  let target = '';
  const reader: XmlReader = {
    open(tag, { src = '', href = '' }) {
      if (tag === 'navLabel' || tag === 'a') {
        label = '';
        inLabel = true;
        target = href;
      }
      if (tag === 'content') add(src);
    },
    close(tag) {
      if (tag === 'navLabel' || tag === 'a') inLabel = false;
      if (tag === 'a') add(target);
    },
    text(more) {
      if (inLabel && label.length < 1000) label += more;
    },
  };
  try {
    await readXml(zip, contents, reader);
  } catch (error) {
    // A book without titles is still a book.
    const isOurs = error instanceof Unreadable || error instanceof ZipFault;
    if (!isOurs || error.reason !== 'damaged') throw error;
  }
  return titles;

  function add(address: string): void {
    const name = nameOf(folder, address);
    const title = label.replace(/\s+/g, ' ').trim();
    if (title !== '' && !titles.has(name)) titles.set(name, title);
  }
}

/** The files that need a key. Books without one list their fonts here too. */
async function readEncrypted(zip: Zip): Promise<Set<string>> {
  const names = new Set<string>();
  await readXml(zip, ENCRYPTION, {
    open(tag, { URI: name }) {
      if (tag === 'CipherReference' && name !== undefined) names.add(nameOf('', name));
    },
  });
  return names;
}

/** The archive's name for an address in the book. */
function nameOf(folder: string, href: string): string {
  const [path = ''] = href.split('#', 1);
  try {
    return resolveName(folder, decodeURIComponent(path));
  } catch {
    return resolveName(folder, path);
  }
}
