import { isFailure } from '@parley/schema/messages/messages';
import { ratingLine, sourceLines, wholeMessageText } from './exported-message.ts';
import type { ExportOptions } from './formats.ts';
import { optionLines } from './endpoint-options.ts';
import { headLines, type Transcript } from './transcript.ts';

const RULER = '########################';

/** The branch on screen as plain text, in chunks. */
export function asText(transcript: Transcript, { includeOptions }: Pick<ExportOptions, 'includeOptions'>): string[] {
  const { path, failureOf } = transcript;
  const messages = path.map((message) => {
    const error = isFailure(message) ? '(This is an error message)\n' : '';
    const unfinished = message.unfinished ? '(This is an unfinished message)\n' : '';
    const rating = message.rating ? `(${ratingLine(message)})\n` : '';
    return `>> ${message.sender}:\n${wholeMessageText(message, failureOf)}\n${sourceLines(message)}${error}${unfinished}${rating}\n\n`;
  });
  return [
    section('Conversation', headLines(transcript)),
    ...(includeOptions ? ['\n', section('Options', optionLines(transcript))] : []),
    '\n',
    section('History', []),
    ...messages,
  ];
}

function section(name: string, lines: readonly string[]): string {
  return [name, RULER, ...lines].map((line) => `${line}\n`).join('');
}
