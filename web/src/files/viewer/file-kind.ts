// How a file is shown, by its type; by its name where its type says too little.
import { isExtractable, isImageType, isTextType } from '@parley/schema/files/file-types';

/** A `document` is shown by the text that the server has read in it, `sheets` are the rows that it has read. */
export type FileKind = 'pdf' | 'markdown' | 'csv' | 'text' | 'sheets' | 'document' | 'image' | 'media' | 'other';

export function kindOfFile({ name, mime }: { name: string; mime: string }): FileKind {
  if (mime === 'application/pdf') return 'pdf';
  if (isImageType(mime)) return 'image';
  if (isMedia(mime)) return 'media';
  if (/\b(csv|tab-separated-values)$/.test(mime) || /\.(csv|tsv)$/i.test(name)) return 'csv';
  if (mime === 'text/markdown' || /\.(md|markdown)$/i.test(name)) return 'markdown';
  if (/spreadsheet|excel|xls/.test(mime)) return 'sheets';
  if (/rtf|rfc822|mbox|outlook|ipynb/.test(mime)) return 'document';
  if (isTextType(mime)) return 'text';
  return isExtractable(mime) ? 'document' : 'other';
}

/** Sound and film: nobody reads them. */
export function isMedia(mime: string): boolean {
  return /^(audio|video)\//.test(mime);
}
