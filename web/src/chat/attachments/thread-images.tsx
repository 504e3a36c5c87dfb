import type { ImagePart, MessagePart } from '@parley/schema/messages/messages';
import { useCallback, useLayoutEffect, useRef, type ReactNode } from 'react';
import { ThreadImages } from '../../files/message/message-image.tsx';
import type { Chat } from '../use-chat.ts';

/** Lets the large view of an image step through all loaded images of the branch on screen. */
export function ThreadImagesProvider({ chat, children }: { chat: Chat; children: ReactNode }) {
  const newest = useRef(chat);
  useLayoutEffect(() => void (newest.current = chat));
  // The same function for ever: messages must not render again with every change of the chat.
  const read = useCallback(() => {
    const { path, findMessage } = newest.current;
    return path.flatMap(({ messageId }) => findMessage(messageId)?.parts.flatMap(imagesOf) ?? []);
  }, []);
  return <ThreadImages value={read}>{children}</ThreadImages>;
}

function imagesOf(part: MessagePart): ImagePart[] {
  if (part.type === 'image') return [part];
  const outputs = part.type === 'tool_call' ? (part.call.outputs ?? []) : [];
  return outputs.filter((one): one is ImagePart => one.type === 'image');
}
