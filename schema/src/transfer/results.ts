// The results of an import, per item. Types, numbers and a list of words only, so that importing them costs nothing.

/** Why an item was skipped. */
export type SkipReason =
  /** It is not JSON. */
  | 'malformed'
  /** It is not UTF-8: importing it would damage its text permanently. */
  | 'wrong_encoding'
  /** It is no supported kind of conversation. */
  | 'unknown_kind'
  /** It is an export of a product of which nothing is read; `product` names it. */
  | 'other_product'
  /** It is a part, or a form, of an export that is read in another one: Takeout's HTML, a file beside the conversations. */
  | 'other_form'
  | 'no_messages'
  | 'too_large'
  | 'too_many_messages'
  | 'message_too_long'
  /** Its messages are more than the person may store. */
  | 'no_room'
  /** The conversation is in the trash: it can be restored there. */
  | 'in_bin'
  /** An error of the server; a retry may help. */
  | 'failed';

/** What a conversation has in its file and not here, in the words of the file. */
export interface LeftOut {
  /** Kinds of messages and blocks that nothing is read of, and how many there are of each. */
  kinds?: Record<string, number>;
  tags?: string[];
}

/** The result for one item of a file. */
export type ImportItem = {
  /** Its place in the file, from 0. */
  index: number;
  /** Its place in an object that has several conversations, from 0; absent for an object that is one. */
  part?: number;
  /** Null when it has none or none could be read. */
  title: string | null;
} & (
  | { outcome: 'imported'; conversationId: string; messages: number; dropped: number; leftOut?: LeftOut }
  /** The conversation existed; these messages of it were new. */
  | { outcome: 'extended'; conversationId: string; messages: number; dropped: number; leftOut?: LeftOut }
  | { outcome: 'present'; conversationId: string }
  | { outcome: 'skipped'; reason: SkipReason; product?: string }
);

/** Why the rest of a file was not read. */
export type ImportFault =
  | 'empty'
  /** Its content is not a JSON object or a list of them. */
  | 'not_json'
  /** The JSON ends too soon. */
  | 'cut_off'
  /** No data arrived for a while, or too little. */
  | 'stalled'
  | 'signed_out'
  /** A ZIP file that is cut off, changed, encrypted or made to unpack to far more than it is; nothing of it is kept. */
  | 'damaged_zip'
  /** A ZIP file without a `conversations.json` or numbered files of that name. */
  | 'foreign_zip'
  /** A ZIP file that is larger, or unpacks to more, than is read. */
  | 'large_zip'
  /** The server has no room to unpack a ZIP file. */
  | 'disk_full';

/** Why a file of a ZIP file was left out. */
export type FileSkip =
  /** Its bytes are not in the ZIP file. */
  | 'missing'
  /** They are not those that were exported. */
  | 'damaged'
  /** Its type, as its bytes show it, is not accepted here. */
  | 'type'
  | 'too_large'
  | 'unreadable_image'
  /** The operator's scanner found something in it, or could not scan it. */
  | 'infected'
  | 'not_scanned'
  /** Beyond what the person may store. */
  | 'no_room'
  | 'disk_full'
  /** What another product remembers of a person, which has no place here. */
  | 'memories'
  | 'failed';

export interface Counts {
  imported: number;
  present: number;
  skipped: number;
}

/** What is counted by kind, in the order in which it is restored; `queue` are questions that wait, `schedules` those that
 * are asked by the clock. */
export const COUNTED = [
  'assistants',
  'actions',
  'presets',
  'prompts',
  'skills',
  'drafts',
  'queue',
  'schedules',
  'memories',
  'sets',
] as const;
export type CountedKind = (typeof COUNTED)[number];

/** What else an export of everything brings beside conversations. */
export type ArchiveLine =
  | { kind: 'file'; name: string; outcome: 'imported' | 'present' }
  | { kind: 'file'; name: string; outcome: 'skipped'; reason: FileSkip }
  /** Numbers of what came along; `skipped` are unreadable, above the limit or not allowed here. */
  | ({ kind: CountedKind } & Counts)
  /** Numbers of settings; `kept` have a value of this account's own. */
  | { kind: 'settings'; imported: number; kept: number }
  /** In bytes, unpacked. */
  | { kind: 'progress'; done: number; total: number };

/** The last line of a response. Without it the connection broke, and the same file may be sent again. */
export interface ImportEnd {
  end: true;
  items: number;
  fault: ImportFault | null;
}

/** One line of the answer to `POST /api/import`, which is newline-delimited JSON. */
export type ImportLine = ImportItem | ArchiveLine | ImportEnd;

export interface ImportLimits {
  /** The longest conversation in bytes of JSON: the most of a file in memory at once. */
  itemBytes: number;
  /** The most values in one conversation: parsed, small values take many times their length. */
  itemValues: number;
}

export const IMPORT_LIMITS: ImportLimits = { itemBytes: 64 * 1024 * 1024, itemValues: 1_500_000 };

/** The most messages in one conversation. */
export const IMPORT_MESSAGES_MAX = 50_000;
