// The text of uploaded files: how far the index has read them, and the passages that answers quote.

/**
 * `queued` and `reading` have no searchable text yet. A document that is `embedding` is already found by its words; one
 * that is `ready` by its meaning, too, where an embeddings model is configured. `failed` has a reason.
 */
export type DocumentState = 'queued' | 'reading' | 'embedding' | 'ready' | 'failed';

/** Why a file has no searchable text. `error`: something else went wrong, several times. */
const DOCUMENT_REASONS = [
  'unsupported',
  'no_text',
  'encrypted',
  'damaged',
  'too_large',
  'timed_out',
  'out_of_memory',
  'error',
] as const;
export type DocumentReason = (typeof DOCUMENT_REASONS)[number];

/**
 * Why a model got no more than the name of a file: the index had not read it yet, it was deleted, the endpoint does not
 * take its type or size, or it failed.
 */
export const NAMED_ONLY = ['indexing', 'gone', 'not_taken', ...DOCUMENT_REASONS] as const;
export type NamedOnly = (typeof NAMED_ONLY)[number];

/** What is known of a file's text. Images and avatars have none. */
export interface DocumentStatus {
  state: DocumentState;
  /** Null while it is unknown, and for files without pages. */
  pages: number | null;
  /** Set when it has failed; `timed_out` also while one that takes long waits for its turn. */
  reason: DocumentReason | null;
  /** Of a text whose encoding was guessed, and may be wrong. */
  encoding?: string;
}

/** A passage of a file. */
export interface Passage {
  /** Its place in the file, from 0. */
  n: number;
  /** From 1; null for files without pages. */
  page: number | null;
  /** The headings above it from the outermost, joined by ' > '. */
  heading: string | null;
  text: string;
}

/** A passage with its neighbours, as `files.passage` returns it. */
export interface PassageInFile {
  fileId: string;
  name: string;
  mime: string;
  bytes: number;
  /** Of the file. */
  pages: number | null;
  passage: Passage;
  before: Passage | null;
  after: Passage | null;
}

/** A stretch of the text of a file: under one heading of one page. */
export interface TextSection {
  /** The places of the first and the last passage that it consists of. */
  from: number;
  to: number;
  page: number | null;
  heading: string | null;
  /** Of a table: the line with the names of its columns. `text` is then a row a line, without it. */
  columns: string | null;
  text: string;
}

/** A part of the text that the index has read in a file, as `files.text` returns it. */
export interface FileText {
  document: DocumentStatus | null;
  /** False where an outside service indexes files: only the passages that models got are here. */
  isWhole: boolean;
  sections: TextSection[];
  /** Where the next part begins; null at the end. */
  next: number | null;
}
