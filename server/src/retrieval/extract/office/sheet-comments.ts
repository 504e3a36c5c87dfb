// Comments on cells: notes of old, and the threads of newer versions.
import { relatedParts, readRelations, type Relation } from './package.ts';
import { readXml } from '../xml.ts';
import type { Zip } from '../../../platform/zip/read-zip.ts';

/** The names of those who wrote threads, by their ids. */
export async function readPeople(zip: Zip, relations: ReadonlyMap<string, Relation>): Promise<Map<string, string>> {
  const people = new Map<string, string>();
  for (const part of relatedParts(zip, relations, 'person')) {
    await readXml(zip, part, {
      open(tag, { id, displayName }) {
        if (tag === 'person' && id !== undefined && displayName) people.set(id, displayName);
      },
    });
  }
  return people;
}

/** 'Rita: Which year?' by the addresses of cells; the messages of a thread are joined. */
export async function readSheetComments(
  zip: Zip,
  sheet: string,
  people: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const relations = await readRelations(zip, sheet);
  const threads = new Map<string, string>();
  for (const part of relatedParts(zip, relations, 'threadedComment')) {
    await readComments(zip, part, (address, writer, text) => {
      const before = threads.get(address);
      const told = withWriter(people.get(writer) ?? '', text);
      threads.set(address, before === undefined ? told : `${before}; ${told}`);
    });
  }
  const notes = new Map<string, string>();
  for (const part of relatedParts(zip, relations, 'comments')) {
    await readComments(zip, part, (address, writer, text) => notes.set(address, withWriter(writer, text)));
  }
  // Older programs are shown a copy of each thread as a note.
  return new Map([...notes, ...threads]);
}

/** Excel begins a note by the name of who writes it. */
function withWriter(writer: string, text: string): string {
  return writer === '' || text.startsWith(`${writer}:`) ? text : `${writer}: ${text}`;
}

async function readComments(
  zip: Zip,
  part: string,
  end: (address: string, writer: string, text: string) => void,
): Promise<void> {
  const authors: string[] = [];
  let comment: { address: string; writer: string; text: string } | null = null;
  /** The open elements whose text is told. */
  let inText = 0;
  let inAuthor = false;
  await readXml(zip, part, {
    open(tag, { ref = '', authorId, personId }) {
      if (tag === 'author') {
        authors.push('');
        inAuthor = true;
      }
      if (tag === 'comment' || tag === 'threadedComment') {
        comment = { address: ref, writer: personId ?? authors[Number(authorId)] ?? '', text: '' };
      }
      if (tag === 't' || tag === 'text') inText++;
    },
    close(tag) {
      if (tag === 'author') inAuthor = false;
      if (tag === 't' || tag === 'text') inText--;
      if ((tag !== 'comment' && tag !== 'threadedComment') || !comment) return;
      const text = comment.text.replace(/\s+/g, ' ').trim();
      if (text !== '') end(comment.address, comment.writer.trim(), text);
      comment = null;
    },
    text(more) {
      if (inAuthor) authors[authors.length - 1] += more;
      else if (comment && inText > 0) comment.text += more;
    },
  });
}
