import { exportedMessage, type ExportedMessage } from './exported-message.ts';
import type { Choices } from './formats.ts';
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

/** A line of names and a line for each message (RFC 4180). */
export function asCsv(transcript: Transcript, { exportBranches }: Pick<Choices, 'exportBranches'>): string[] {
  const messages = exportBranches ? allBranches(transcript.tree) : transcript.path;
  const rows = messages.map((message) => {
    const exported = exportedMessage(message, transcript);
    return lineOf(COLUMNS.map((column) => String(exported[column])));
  });
  return [lineOf(COLUMNS), ...rows];
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
