// What an import says about each thing in a file. Types and numbers only, so that importing them costs nothing.

/** Why something in a file was not taken in. */
export type SkipReason =
  /** It is not JSON. */
  | 'malformed'
  /** It is not UTF-8: taken in all the same, its letters would be lost for good. */
  | 'wrong_encoding'
  /** It is none of the kinds of conversation that are understood. */
  | 'unknown_kind'
  | 'no_messages'
  | 'too_large'
  | 'too_many_messages'
  | 'message_too_long'
  /** The conversation was deleted here and waits in the bin: it can be restored there. */
  | 'in_bin'
  /** A fault of ours; another try may help. */
  | 'failed';

/** What became of one thing in a file. */
export type ImportItem = {
  /** Its place in the file, from 0. */
  index: number;
  /** Null when it has none or none could be read. */
  title: string | null;
} & (
  | { outcome: 'imported'; conversationId: string; messages: number; dropped: number }
  /** The conversation was here; these messages of it were not. */
  | { outcome: 'extended'; conversationId: string; messages: number; dropped: number }
  | { outcome: 'present'; conversationId: string }
  | { outcome: 'skipped'; reason: SkipReason }
);

/** Why a file was not read to its end. */
export type ImportFault =
  | 'empty'
  /** It is a zip file, as ChatGPT's export comes. */
  | 'zipped'
  /** What it holds is not a JSON object or a list of them. */
  | 'not_json'
  /** The JSON ends too soon. */
  | 'cut_off'
  /** Nothing more arrived for a while. */
  | 'stalled'
  | 'signed_out';

/** The last line of an answer. Without it the connection broke, and the same file may be sent again. */
export interface ImportEnd {
  end: true;
  items: number;
  fault: ImportFault | null;
}

/** One line of the answer to `POST /api/import`, which is newline-delimited JSON. */
export type ImportLine = ImportItem | ImportEnd;

export interface ImportLimits {
  /** The longest conversation, in bytes of JSON: it is the most of a file that is in memory at once. */
  itemBytes: number;
  /** Values within one conversation: small ones take many times their length once they are read. */
  itemValues: number;
}

export const IMPORT_LIMITS: ImportLimits = { itemBytes: 64 * 1024 * 1024, itemValues: 1_500_000 };

/** Messages in one conversation. */
export const IMPORT_MESSAGES_MAX = 50_000;
