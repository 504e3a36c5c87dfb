// A conversation as the files are made from it.
import type { Convo } from '@parley/schema/convos';
import type { Message } from '@parley/schema/messages';
import type { Tree } from '@parley/schema/tree';

export interface Transcript {
  convo: Convo;
  /** What the conversation is called, also when it has no title. */
  title: string;
  tree: Tree<Message>;
  /** The branch on screen, from the first message to the last. */
  path: readonly Message[];
  /** When the file is made, as a clock's text. */
  exportAt: string;
  /** The sentence for a message that is nothing but a failure. */
  failureOf: (message: Message) => string;
}

/** What the readable formats begin with, as names and texts. */
export function headLines({ convo, title, exportAt }: Transcript): string[] {
  return [
    `conversationId: ${convo.conversationId}`,
    `endpoint: ${convo.endpoint}`,
    `title: ${title}`,
    `exportAt: ${exportAt}`,
  ];
}

/** All messages of all branches: each followed by what answers it, siblings from the eldest on. */
export function allBranches({ children }: Tree<Message>): Message[] {
  const found: Message[] = [];
  const waiting = (children.get(null) ?? []).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    waiting.push(...(children.get(next.messageId) ?? []).toReversed());
  }
  return found;
}
