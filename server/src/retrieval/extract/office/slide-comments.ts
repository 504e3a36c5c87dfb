// Comments on slides, in the form of before 2021 and the newer one.
import { createParagraphReader } from './drawings.ts';
import { relatedParts, readRelations, type Relation } from './package.ts';
import { readXml } from '../xml.ts';
import type { Zip } from '../../../platform/zip/read-zip.ts';

/** The names of those who comment, by their ids. */
export async function readSlideAuthors(zip: Zip, main: string): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  const relations = await readRelations(zip, main);
  for (const part of [...relatedParts(zip, relations, 'commentAuthors'), ...relatedParts(zip, relations, 'authors')]) {
    await readXml(zip, part, {
      open(tag, { id, name }) {
        if ((tag === 'cmAuthor' || tag === 'author') && id !== undefined && name) authors.set(id, name);
      },
    });
  }
  return authors;
}

/** 'Rita Reviewer: Which year?' for each comment and reply, in their order. */
export async function readSlideComments(
  zip: Zip,
  relations: ReadonlyMap<string, Relation>,
  authors: ReadonlyMap<string, string>,
): Promise<string[]> {
  const comments: string[] = [];
  for (const part of relatedParts(zip, relations, 'comments')) {
    /** Those who wrote the open comment and its open reply. */
    const writers: string[] = [];
    let older: string | null = null;
    const add = (text: string) => {
      const author = authors.get(writers.at(-1) ?? '');
      comments.push(author === undefined ? text : `${author}: ${text}`);
    };
    const paragraphs = createParagraphReader(add);
    await readXml(zip, part, {
      open(tag, attributes) {
        if (tag === 'cm' || tag === 'reply') writers.push(attributes.authorId ?? '');
        if (tag === 'text') older = '';
        paragraphs.open(tag);
      },
      close(tag) {
        paragraphs.close(tag);
        if (tag === 'text') {
          if (older?.trim()) add(older.trim());
          older = null;
        }
        if (tag === 'cm' || tag === 'reply') writers.pop();
      },
      text(more) {
        paragraphs.text(more);
        if (older !== null) older += more;
      },
    });
  }
  return comments;
}
