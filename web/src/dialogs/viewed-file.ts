/** A file that a person looks at. */
export interface ViewedFile {
  fileId: string;
  name: string;
  /** Its address on this server. */
  path: string;
  /** Null while only its citation is known. */
  mime: string | null;
  bytes: number | null;
}

/** The passage of a file to begin at. */
export interface CitedPassage {
  /** Its place in the file, from 0. */
  n: number;
  /** From 1; null in files without pages. */
  page: number | null;
  quote: string;
}
