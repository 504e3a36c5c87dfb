import type { Message } from '@parley/schema/messages/messages';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { listSiblings, type Tree } from '@parley/schema/messages/tree';
import { useAtomValue } from 'jotai';
import { useCallback, useMemo } from 'react';
import { branchesAtom, shownPath } from '../cache/branches.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import type { Conversation } from '../use-conversation.ts';
import { writtenMessages, withExchanges } from './with-exchanges.ts';

export interface Thread {
  tree: Tree<ThreadNode>;
  /** The branch on screen, from the first message to the latest. */
  path: readonly ThreadNode[];
  /** Running and failed exchanges by the id of their reply. */
  exchangeOf: ReadonlyMap<string, Exchange>;
  /** Returns a message if it is loaded: those in or near the viewport are. */
  findMessage: (messageId: string) => Message | undefined;
}

const NO_BRANCHES = {};

/** Merges stored messages and exchanges into one tree, and selects the branch on screen. */
export function useThread(conversationId: string, { stored, exchanges }: Conversation): Thread {
  const branches = useAtomValue(branchesAtom)[conversationId] ?? NO_BRANCHES;
  const written = useMemo(() => writtenMessages(exchanges), [exchanges]);
  const tree = useMemo(() => withExchanges(stored.tree, written), [stored.tree, written]);
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

/** The sibling `step` positions away from `message`. */
export function findSibling(tree: Tree<ThreadNode>, message: Message, step: number): ThreadNode | undefined {
  const siblings = listSiblings(tree, message);
  return siblings[siblings.findIndex((one) => one.messageId === message.messageId) + step];
}
