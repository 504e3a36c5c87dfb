import { useAtom, useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { openArtifactAtom } from '../content/artifacts/artifact-place.ts';
import { chatArtifacts } from '../content/artifacts/lazy-artifacts.ts';
import { fileColumn } from '../files/lazy-viewers.ts';
import { hasChatAtom, openFileAtom } from '../files/open-file.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import type { ChatHeaderProps } from './header/chat-header.tsx';
import { useLaterParts } from './lazy/use-later-parts.ts';

/** What stands beside the chat: the file or the artifact that is open, the newer one; else the side panel. */
export function BesideChat({ chat, onPick }: ChatHeaderProps) {
  const [file, setFile] = useAtom(openFileAtom);
  const [artifact, setArtifact] = useAtom(openArtifactAtom);
  const setChat = useSetAtom(hasChatAtom);
  const later = useLaterParts();
  useEffect(() => {
    setChat(true);
    return () => setChat(false);
  }, [setChat]);
  useEffect(() => {
    if (artifact) setFile(null);
  }, [artifact, setFile]);
  useEffect(() => {
    if (file) setArtifact(null);
  }, [file, setArtifact]);
  if (artifact)
    return (
      <LazyBoundary onFailure={() => setArtifact(null)}>
        <chatArtifacts.Screen chat={chat} />
      </LazyBoundary>
    );
  if (!file) return later && <later.SidePanel chat={chat} onPick={onPick} />;
  return (
    <LazyBoundary onFailure={() => setFile(null)}>
      <fileColumn.Screen conversationId={chat.slot.conversationId} />
    </LazyBoundary>
  );
}
