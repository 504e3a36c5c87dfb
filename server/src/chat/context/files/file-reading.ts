// How the text of attached files is read and searched.
import type { Query } from '@parley/db/client';
import type { FilePart } from '@parley/schema/messages/messages';
import type { DocumentRow } from '../../../retrieval/documents.ts';
import type { Finding } from '../../../retrieval/find.ts';
import type { FoundPassage, TextSection } from '../../../retrieval/passages.ts';
import type { ReadText } from './attachments.ts';

/** Lists what is needed to read files and to search them. */
export interface FileReading {
  query: Query;
  userId: string;
  /** Files of other people's assistants and folders: they are searched in the name of their owners, never shown whole. */
  lent: readonly LentFiles[];
  /** The text of a plain text file as it was uploaded; null when it is gone or too large. */
  textOf(file: FilePart): Promise<ReadText | null>;
  /** Reads the whole text of a document; empty when it is unknown. */
  sectionsOf(fileId: string): Promise<TextSection[]>;
  /** Whether passages of files that are shown whole can be opened, and so cited. */
  citesWhole: boolean;
  find(ask: Omit<Finding, 'userId'>): Promise<FoundPassage[]>;
}

export interface LentFiles {
  ownerId: string;
  fileIds: ReadonlySet<string>;
  /** Whether they are still lent. Asked before each search: access ends at once. */
  isLending(): Promise<boolean>;
}

export function isLent(lent: readonly LentFiles[], { fileId }: Pick<FilePart, 'fileId'>): boolean {
  return lent.some(({ fileIds }) => fileIds.has(fileId));
}

/** Says whether its chunks are saved, with or without vectors. */
export function isSearchable(document: Pick<DocumentRow, 'state'> | undefined): boolean {
  return document?.state === 'embedding' || document?.state === 'ready';
}
