import { isFailure } from '@parley/schema/messages';
import { wordsOf } from './exported-message.ts';
import type { Choices } from './formats.ts';
import { optionLines } from './options.ts';
import type { Transcript } from './transcript.ts';

/** The branch on screen as markdown, in pieces. */
export function asMarkdown(transcript: Transcript, { includeOptions }: Pick<Choices, 'includeOptions'>): string[] {
  const { convo, title, exportAt, path, failureOf } = transcript;
  const head = [
    `conversationId: ${convo.conversationId}`,
    `endpoint: ${convo.endpoint}`,
    `title: ${title}`,
    `exportAt: ${exportAt}`,
  ];
  const messages = path.map((message) => {
    const error = isFailure(message) ? '*(This is an error message)*\n' : '';
    const unfinished = message.unfinished ? '*(This is an unfinished message)*\n' : '';
    return `**${message.sender}:**\n${wordsOf(message, failureOf)}\n${error}${unfinished}\n\n`;
  });
  return [
    '# Conversation\n',
    bullets(head),
    ...(includeOptions ? ['\n## Options\n', bullets(optionLines(transcript))] : []),
    '\n## History\n',
    ...messages,
  ];
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join('');
}
