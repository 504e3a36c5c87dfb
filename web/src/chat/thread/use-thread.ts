import type { Message } from '@parley/schema/messages';
import { nodeOf, type ThreadNode } from '@parley/schema/thread';
import { addToTree, siblingsOf, type Tree } from '@parley/schema/tree';
import { useAtomValue } from 'jotai';
import { useCallback, useMemo } from 'react';
import { branchesAtom, shownPath } from './branches.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import type { Conversation } from '../use-conversation.ts';

export interface Thread {
  tree: Tree<ThreadNode>;
  /** The branch on screen, from the first message to the latest. */
  path: readonly ThreadNode[];
  /** The exchange that a reply belongs to while there is one, by the reply's id. */
  exchangeOf: ReadonlyMap<string, Exchange>;
  /** A message, unless it is not loaded: those in or near the view are. */
  findMessage: (messageId: string) => Message | undefined;
}

const NO_BRANCHES = {};

/** What is stored and what is under way as one tree, and the branch of it that is on screen. */
export function useThread(conversationId: string, { stored, exchanges }: Conversation): Thread {
  const branches = useAtomValue(branchesAtom)[conversationId] ?? NO_BRANCHES;
  const written = useMemo(() => new Map(exchanges.flatMap(messagesOf)), [exchanges]);
  const tree = useMemo(() => {
    const nodes = [...written.values()].map((message) => whereItHangs(stored.tree, nodeOf(message)));
    return addToTree(stored.tree, nodes);
  }, [stored.tree, written]);
  const path = useMemo(() => shownPath(tree, branches), [tree, branches]);
  const exchangeOf = useMemo(
    () => new Map(exchanges.map((exchange) => [exchange.reply.messageId, exchange])),
    [exchanges],
  );
  const findMessage = useCallback(
    (messageId: string) => written.get(messageId) ?? stored.bodies.get(messageId),
    [written, stored.bodies],
  );
  return { tree, path, exchangeOf, findMessage };
}

/** The message `step` places away among the siblings of `message`. */
export function siblingOf(tree: Tree<ThreadNode>, message: Message, step: number): ThreadNode | undefined {
  const siblings = siblingsOf(tree, message);
  return siblings[siblings.findIndex((one) => one.messageId === message.messageId) + step];
}

/** What an exchange was begun below may have been deleted since: then it hangs where the server has it. */
function whereItHangs({ byId }: Tree<ThreadNode>, node: ThreadNode): ThreadNode {
  const known = byId.get(node.messageId);
  return known ? { ...node, parentMessageId: known.parentMessageId } : node;
}

function messagesOf({ request, reply }: Exchange): [messageId: string, message: Message][] {
  return [
    [request.messageId, request],
    [reply.messageId, reply],
  ];
}
