import {
  COUNTED,
  type ArchiveLine,
  type FileSkip,
  type ImportFault,
  type ImportItem,
  type ImportLine as Line,
  type SkipReason,
} from '@parley/schema/transfer/results';
import * as z from 'zod';
import { Count, Text, Uuid } from './shapes.ts';

const skipReason = z.enum({
  malformed: 'malformed',
  wrong_encoding: 'wrong_encoding',
  unknown_kind: 'unknown_kind',
  other_product: 'other_product',
  other_form: 'other_form',
  no_messages: 'no_messages',
  too_large: 'too_large',
  too_many_messages: 'too_many_messages',
  message_too_long: 'message_too_long',
  no_room: 'no_room',
  in_bin: 'in_bin',
  failed: 'failed',
} satisfies { [Name in SkipReason]: Name });

const fileSkip = z.enum({
  missing: 'missing',
  damaged: 'damaged',
  type: 'type',
  too_large: 'too_large',
  unreadable_image: 'unreadable_image',
  infected: 'infected',
  not_scanned: 'not_scanned',
  no_room: 'no_room',
  disk_full: 'disk_full',
  memories: 'memories',
  failed: 'failed',
} satisfies { [Name in FileSkip]: Name });

const fault = z.enum({
  empty: 'empty',
  not_json: 'not_json',
  cut_off: 'cut_off',
  stalled: 'stalled',
  signed_out: 'signed_out',
  damaged_zip: 'damaged_zip',
  foreign_zip: 'foreign_zip',
  large_zip: 'large_zip',
  disk_full: 'disk_full',
} satisfies { [Name in ImportFault]: Name });

const leftOut = z.object({
  kinds: z.record(Text, Count).exactOptional(),
  tags: z.array(Text).exactOptional(),
});
const item = { index: Count, part: Count.exactOptional(), title: Text.nullable() };
const stored = { ...item, conversationId: Uuid };
const grown = { ...stored, messages: Count, dropped: Count, leftOut: leftOut.exactOptional() };

const Item = z.discriminatedUnion('outcome', [
  z.object({ ...grown, outcome: z.literal('imported') }),
  z.object({ ...grown, outcome: z.literal('extended') }),
  z.object({ ...stored, outcome: z.literal('present') }),
  z.object({ ...item, outcome: z.literal('skipped'), reason: skipReason, product: Text.exactOptional() }),
]) satisfies z.ZodType<ImportItem>;

const file = { kind: z.literal('file'), name: Text };
const numbers = { imported: Count, present: Count, skipped: Count };

const OfArchive = z.union([
  z.object({ ...file, outcome: z.enum(['imported', 'present']) }),
  z.object({ ...file, outcome: z.literal('skipped'), reason: fileSkip }),
  z.object({ ...numbers, kind: z.enum(COUNTED) }),
  z.object({ kind: z.literal('settings'), imported: Count, kept: Count }),
  z.object({ kind: z.literal('progress'), done: Count, total: Count }),
]) satisfies z.ZodType<ArchiveLine>;

const End = z.object({ end: z.literal(true), items: Count, fault: fault.nullable() });

/** One line of the answer to an import. */
export const ImportLine = z.union([Item, OfArchive, End]).meta({ id: 'ImportLine' }) satisfies z.ZodType<Line>;
