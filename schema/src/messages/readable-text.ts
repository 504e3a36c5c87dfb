// The text of a message as people read it.
import { messageText, type Message, type MessagePart } from './messages.ts';

/** The text of a message as it reads: what was written before and after a call stands in paragraphs of its own. */
export function readableText({ parts }: Pick<Message, 'parts'>): string {
  return messageText({ parts: inParagraphs(parts) });
}

/** The parts with a blank line before each text that would be glued to the text before a call. */
export function inParagraphs(parts: readonly MessagePart[]): MessagePart[] {
  let before = '';
  let isAfterCall = false;
  return parts.map((part) => {
    if (part.type === 'tool_call') isAfterCall = true;
    if (part.type !== 'text' || part.text === '') return part;
    const isGlued = isAfterCall && /\S$/.test(before) && /^\S/.test(part.text);
    before = part.text;
    isAfterCall = false;
    return isGlued ? afterBlankLine(part) : part;
  });
}

const BLANK_LINE = '\n\n';

function afterBlankLine({ text, citations, ...part }: Extract<MessagePart, { type: 'text' }>): MessagePart {
  const moved = citations?.map((citation) => ({ ...citation, at: citation.at + BLANK_LINE.length }));
  return { ...part, text: BLANK_LINE + text, ...(moved && { citations: moved }) };
}
