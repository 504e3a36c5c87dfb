import type { Message } from '@parley/schema/messages/messages';
import { messageNode, type ThreadNode } from '@parley/schema/messages/thread';
import { addToTree, type Tree } from '@parley/schema/messages/tree';
import type { Exchange } from '../exchanges/exchange.ts';

/** The messages of exchanges, by their ids. */
export function writtenMessages(exchanges: readonly Exchange[]): Map<string, Message> {
  return new Map(exchanges.flatMap(({ request, reply }) => [request, reply].map((one) => [one.messageId, one])));
}

/** The stored tree with the messages of exchanges. */
export function withExchanges(stored: Tree<ThreadNode>, written: ReadonlyMap<string, Message>): Tree<ThreadNode> {
  return addToTree(
    stored,
    [...written.values()].map((message) => withStoredParent(stored, messageNode(message))),
  );
}

/** The parent of a new exchange may have been deleted since: then it takes the parent from the server. */
function withStoredParent({ byId }: Tree<ThreadNode>, node: ThreadNode): ThreadNode {
  const known = byId.get(node.messageId);
  return known ? { ...node, parentMessageId: known.parentMessageId } : node;
}
