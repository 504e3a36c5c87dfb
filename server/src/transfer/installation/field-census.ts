// Notes which fields of an export stay behind, for its report.
import { basename, extname } from 'node:path';
import { FIELDS, findFate } from './fields.ts';
import { readDocuments, type Document } from './documents.ts';

/** How often each field stays behind, by `collection.field`; the words say why. */
export type FieldNotes = Map<string, { many: number; why: string }>;

const UNKNOWN = 'not known here';
/** The most fields that are not known: an export of another product has any. */
const UNKNOWN_MAX = 200;

/** Notes the fields of a document that have a value and no place here. `settings` are those that were taken of it. */
export function noteFields(notes: FieldNotes, collection: string, document: Document, settings?: object): void {
  for (const [field, value] of Object.entries(document)) {
    if (isEmpty(value)) continue;
    const fate = findFate(collection, field, settings);
    if (typeof fate === 'string' || (fate && fate.unless === value)) continue;
    const name = `${collection}.${field.slice(0, 80)}`;
    const noted = notes.get(name);
    if (noted) noted.many += 1;
    else if (fate !== null || notes.size < UNKNOWN_MAX) notes.set(name, { many: 1, why: fate?.said ?? UNKNOWN });
  }
}

/** Reads a collection that is read elsewhere, for its fields alone. */
export async function noteCollection(notes: FieldNotes, path: string): Promise<void> {
  const collection = basename(path, extname(path));
  if (!FIELDS[collection]) return;
  for await (const { document } of readDocuments(path)) if (document) noteFields(notes, collection, document);
}

/** What says nothing, also where the schema of the other system writes it by itself. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}
