// What an extractor reads and writes.
import type { UnreadableReason } from '../extracted.ts';

/** Text under one heading, or of one page. */
export interface Section {
  page: number | null;
  heading: string | null;
  /** Paragraphs are divided by empty lines, lines by `\n`. Contains the heading where the document shows it. */
  text: string;
  /** Of tables: a line that every chunk begins with. `text` is then one row a line, without it. */
  columns?: string;
}

/** Takes the text of a file as it is found. */
export interface Sink {
  /** @throws `Unreadable` when the file has more text than is kept */
  write(section: Section): void;
  /** Gets the encoding of a text that was guessed and may be wrong. */
  onGuess?: (encoding: string) => void;
}

/**
 * Reads the file at `path`, writes its text to `sink` in reading order and resolves to its number of pages, null where
 * it has none.
 * @throws `Unreadable` with the reason why it cannot be read; any other error, but those of the disk, means damage
 */
export type Extract = (path: string, sink: Sink) => Promise<number | null>;

export class Unreadable extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason) {
    super(`The text cannot be read: ${reason}`);
    this.reason = reason;
  }
}
