import { isFailure } from '@parley/schema/messages/messages';
import { ratingLine, sourceLines, wholeMessageText } from './exported-message.ts';
import type { ExportOptions } from './formats.ts';
import { optionLines } from './endpoint-options.ts';
import { callAsMarkdown, literal, withClosedCode } from './tool-text.ts';
import { headLines, type Transcript } from './transcript.ts';

/** The branch on screen as markdown, in chunks. */
export function asMarkdown(
  transcript: Transcript,
  { includeOptions }: Pick<ExportOptions, 'includeOptions'>,
): string[] {
  const { path } = transcript;
  const failureOf: Transcript['failureOf'] = (message) => literal(transcript.failureOf(message));
  const draw = { call: callAsMarkdown, name: literal, text: withClosedCode };
  const messages = path.map((message) => {
    const error = isFailure(message) ? '*(This is an error message)*\n' : '';
    const unfinished = message.unfinished ? '*(This is an unfinished message)*\n' : '';
    const rating = message.rating ? `*(${ratingLine(message)})*\n` : '';
    const sources = sourceLines(message, (line) => `- ${literal(line)}`);
    return `**${literal(message.sender)}:**\n${wholeMessageText(message, failureOf, draw)}\n${sources}${error}${unfinished}${rating}\n\n`;
  });
  return [
    '# Conversation\n',
    bullets(headLines(transcript)),
    ...(includeOptions ? ['\n## Options\n', bullets(optionLines(transcript))] : []),
    '\n## History\n',
    ...messages,
  ];
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${literal(line)}\n`).join('');
}
