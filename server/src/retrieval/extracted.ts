// What extraction makes of a file: its text in chunks, or why there is none. For the worker and its callers.

/** A stretch of a file's text: what is searched, embedded and shown to a model. */
export interface Chunk {
  /** Its place in the file, from 0. */
  n: number;
  /** The page or slide that it stands on, from 1; null for files without pages. No chunk spans two. */
  page: number | null;
  /** The headings above it from the outermost, joined by ' > '; the title of a slide, the name of a sheet. */
  heading: string | null;
  /** At most 1,600 UTF-16 units. Its first ones may repeat the end of the chunk before. */
  body: string;
  /** An estimate (`estimateTokens`). */
  tokens: number;
}

/** Why a file has no text. */
export type UnreadableReason =
  | 'unsupported'
  | 'no_text'
  | 'encrypted'
  | 'damaged'
  | 'too_large'
  | 'timed_out'
  | 'out_of_memory';

export type ExtractOutcome =
  | {
      type: 'text';
      /** Null for files without pages. */
      pages: number | null;
      /** UTF-16 units of the whole text, without what chunks repeat. */
      characters: number;
      chunks: Chunk[];
      /** One that was guessed, and may be wrong. */
      encoding?: string;
    }
  | { type: 'unreadable'; reason: UnreadableReason; /** Where they are known. */ pages?: number };

/** A file on this machine's disk; `mime` is what its bytes show, `name` what its sender calls it. */
export interface FileToExtract {
  path: string;
  mime: string;
  name: string;
}

/** How long a process may read one file, in milliseconds. */
export interface WorkerTimes {
  /** Of the processor: a busy machine is not the file's fault. */
  cpuMs: number;
  /** Of the clock, for one that waits for something that never comes. */
  clockMs: number;
}

/** The signal by which a process ends itself when its time of the processor is over. */
export const OVERTIME = 'SIGTERM';

export interface Extractor {
  /** A file is coming: starts the process that will read it, unless one waits. */
  prepare(): void;
  /**
   * Extracts one file in a process of its own.
   * @param cpuMs time of the processor, in milliseconds; the longest that is allowed if absent
   * @throws the reason of `signal` when it aborts, and errors of the disk; a bad file is an outcome, not an error
   */
  extract(file: FileToExtract, signal: AbortSignal, cpuMs?: number): Promise<ExtractOutcome>;
  /** Ends what is running; its callers get an error. */
  close(): Promise<void>;
}
