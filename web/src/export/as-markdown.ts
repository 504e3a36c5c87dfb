import { isFailure } from '@parley/schema/messages';
import { wordsOf } from './exported-message.ts';
import type { Choices } from './formats.ts';
import { optionLines } from './options.ts';
import { headLines, type Transcript } from './transcript.ts';

/** The branch on screen as markdown, in pieces. */
export function asMarkdown(transcript: Transcript, { includeOptions }: Pick<Choices, 'includeOptions'>): string[] {
  const { path, failureOf } = transcript;
  const messages = path.map((message) => {
    const error = isFailure(message) ? '*(This is an error message)*\n' : '';
    const unfinished = message.unfinished ? '*(This is an unfinished message)*\n' : '';
    return `**${message.sender}:**\n${wordsOf(message, failureOf)}\n${error}${unfinished}\n\n`;
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
  return lines.map((line) => `- ${line}\n`).join('');
}
