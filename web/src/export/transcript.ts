// A conversation as input for the export formats.
import type { Convo } from '@parley/schema/convos/convos';
import type { Message } from '@parley/schema/messages/messages';
import type { Tree } from '@parley/schema/messages/tree';

export interface Transcript {
  convo: Convo;
  /** The title, with a fallback for an untitled conversation. */
  title: string;
  tree: Tree<Message>;
  /** The branch on screen, from the first message to the last. */
  path: readonly Message[];
  /** The export time, formatted. */
  exportAt: string;
  /** The message text of a failed answer. */
  failureOf: (message: Message) => string;
}

/** The header of the readable formats, as pairs of name and text. */
export function headLines({ convo, title, exportAt }: Transcript): string[] {
  return [
    `conversationId: ${convo.conversationId}`,
    `endpoint: ${convo.endpoint}`,
    `title: ${title}`,
    `exportAt: ${exportAt}`,
  ];
}

/** All messages of all branches: each followed by its replies, oldest sibling first. */
export function allBranches({ children }: Tree<Message>): Message[] {
  const found: Message[] = [];
  const waiting = (children.get(null) ?? []).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    waiting.push(...(children.get(next.messageId) ?? []).toReversed());
  }
  return found;
}
