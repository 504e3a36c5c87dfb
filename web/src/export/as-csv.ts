// Tests of this room: tests/unit/web/export.
import { csvLine } from '../lib/csv.ts';
import { exportedMessage, wholeMessageText, type ExportedMessage } from './exported-message.ts';
import type { ExportOptions } from './formats.ts';
import { allBranches, type Transcript } from './transcript.ts';

const COLUMNS = [
  'sender',
  'text',
  'isCreatedByUser',
  'error',
  'unfinished',
  'messageId',
  'parentMessageId',
  'createdAt',
] as const satisfies (keyof ExportedMessage)[];

/** A header line and a line for each message (RFC 4180). */
export function asCsv(transcript: Transcript, { exportBranches }: Pick<ExportOptions, 'exportBranches'>): string[] {
  const messages = exportBranches ? allBranches(transcript.tree) : transcript.path;
  const rows = messages.map((message) => {
    const text = wholeMessageText(message, transcript.failureOf);
    const exported = { ...exportedMessage(message, transcript), text };
    return csvLine(COLUMNS.map((column) => String(exported[column])));
  });
  return [csvLine(COLUMNS), ...rows];
}
