import type { Reason } from '@parley/schema/reasons';
import type { ThreadNode } from '@parley/schema/thread';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { i18n } from '../../i18n.ts';
import { describeReason } from '../../lib/describe-reason.ts';
import { showToast } from '../../lib/toast.tsx';
import { createBodyReader } from './body-reader.ts';
import { readBodies } from './thread-cache.ts';
import type { Thread } from './use-thread.ts';

/** Rows whose messages are read before they come near the view, on either side, and bytes of them at most. */
const AHEAD = 20;
const AHEAD_BYTES = 1_000_000;

/** Reads the messages of the rows from `first` to `last`, of some around them, and of the latest. */
export function useBodies(
  conversationId: string,
  { path, findMessage }: Pick<Thread, 'path' | 'findMessage'>,
  { first, last }: { first: number; last: number },
): void {
  const client = useQueryClient();
  const reader = useMemo(
    () => createBodyReader((nodes, signal) => readBodies(client, conversationId, nodes, signal), tellRefusal),
    [client, conversationId],
  );
  useEffect(() => reader.open(), [reader]);

  useEffect(() => {
    const near = path.slice(first, last + 1).concat(path.slice(-1));
    const ahead = path.slice(Math.max(0, first - AHEAD), first).toReversed();
    const wanted = near.concat(affordable(interleave(ahead, path.slice(last + 1, last + 1 + AHEAD))));
    reader.want(wanted.filter(({ messageId }) => !findMessage(messageId)));
  }, [reader, path, findMessage, first, last]);
}

function tellRefusal(reason: Reason): void {
  showToast({ message: describeReason(reason, i18n.t), severity: 'error' });
}

/** By turns one of each. */
function interleave<T>(some: readonly T[], others: readonly T[]): T[] {
  const longest = Math.max(some.length, others.length);
  return Array.from({ length: longest }, (_, n) => [...some.slice(n, n + 1), ...others.slice(n, n + 1)]).flat();
}

function affordable(nodes: readonly ThreadNode[]): ThreadNode[] {
  let bytes = 0;
  return nodes.filter(({ size }) => (bytes += size) <= AHEAD_BYTES);
}
