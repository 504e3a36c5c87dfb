import { pathTo } from '@parley/schema/messages/tree';
import { useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import { ArtifactScopeContext, type ArtifactScope } from '../../content/artifacts/artifact-place.ts';
import { useStartup } from '../../startup.ts';
import type { Chat } from '../use-chat.ts';

/** Lets what answers have made be opened beside them. */
export function ThreadArtifacts({ chat, children }: { chat: Chat; children: ReactNode }) {
  const newest = useRef(chat);
  useLayoutEffect(() => void (newest.current = chat));
  const { conversationId } = chat.slot;
  const isOff = useStartup()?.artifacts === 'off';
  // The same object for ever: messages must not render again with every change of the chat.
  const scope = useMemo(
    (): ArtifactScope => ({
      scopeId: conversationId,
      answersBefore(messageId) {
        const { tree, findMessage } = newest.current;
        const nodes = pathTo(tree, messageId).filter((node) => !node.isCreatedByUser && node.messageId !== messageId);
        const answers = nodes.flatMap((node) => findMessage(node.messageId) ?? []);
        return { answers, isWhole: answers.length === nodes.length };
      },
    }),
    [conversationId],
  );
  return <ArtifactScopeContext value={isOff ? null : scope}>{children}</ArtifactScopeContext>;
}
