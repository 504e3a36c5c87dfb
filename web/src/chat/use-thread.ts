import type { Message } from '@parley/schema/messages';
import { buildTree, siblingsOf, type Tree } from '@parley/schema/tree';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { branchesAtom, shownPath } from './branches.ts';
import type { Exchange } from './exchange.ts';
import { mergeMessages } from './merge-messages.ts';
import type { Conversation } from './use-conversation.ts';

export interface Thread {
  tree: Tree<Message>;
  /** The messages on screen, from the first to the latest. */
  path: readonly Message[];
  /** The exchange that a reply belongs to while there is one, by the reply's id. */
  exchangeOf: ReadonlyMap<string, Exchange>;
}

const NO_BRANCHES = {};

/** What is stored and what is under way as one tree, and the branch of it that is on screen. */
export function useThread(conversationId: string, { messages, exchanges }: Conversation): Thread {
  const branches = useAtomValue(branchesAtom)[conversationId] ?? NO_BRANCHES;
  const tree = useMemo(
    () =>
      buildTree(
        mergeMessages(
          messages,
          exchanges.flatMap(({ request, reply }) => [request, reply]),
        ),
      ),
    [messages, exchanges],
  );
  const path = useMemo(() => shownPath(tree, branches), [tree, branches]);
  const exchangeOf = useMemo(
    () => new Map(exchanges.map((exchange) => [exchange.reply.messageId, exchange])),
    [exchanges],
  );
  return { tree, path, exchangeOf };
}

/** The message `step` places away among the siblings of `message`. */
export function siblingOf(tree: Tree<Message>, message: Message, step: number): Message | undefined {
  const siblings = siblingsOf(tree, message);
  return siblings[siblings.findIndex((one) => one.messageId === message.messageId) + step];
}
