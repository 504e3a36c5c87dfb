// Tests of this room: tests/e2e/app.
import { useAtom, useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { openArtifactAtom } from '../content/artifacts/artifact-place.ts';
import { chatArtifacts } from '../content/artifacts/lazy-artifacts.ts';
import { fileColumn } from '../files/lazy-viewers.ts';
import { hasChatAtom, openFileAtom } from '../files/open-file.ts';
import { PanelRoom } from '../side-panel/panel-room.tsx';
import { useSidePanel } from '../side-panel/panel-state.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import type { ChatHeaderProps } from './header/chat-header.tsx';
import { useLaterParts } from './lazy/use-later-parts.ts';

/** What stands beside the chat: the file or the artifact that is open, the newer one; else the side panel. */
export function BesideChat({ chat, onPick }: ChatHeaderProps) {
  const [file, setFile] = useAtom(openFileAtom);
  const [artifact, setArtifact] = useAtom(openArtifactAtom);
  const setChat = useSetAtom(hasChatAtom);
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
  if (!file) return <SidePanel chat={chat} onPick={onPick} />;
  return (
    <LazyBoundary onFailure={() => setFile(null)}>
      <fileColumn.Screen conversationId={chat.slot.conversationId} />
    </LazyBoundary>
  );
}

/** A strip of icons with a column that they open; on a small screen a drawer. */
function SidePanel({ chat, onPick }: ChatHeaderProps) {
  const column = useRef<HTMLElement>(null);
  const { isOff, isNarrow, isHidden } = useSidePanel();
  const later = useLaterParts();
  if (isOff) return null;
  if (isNarrow) return later && <later.PanelDrawer key={chat.slot.conversationId} chat={chat} onPick={onPick} />;
  if (isHidden) return null;
  return (
    <PanelRoom
      column={column}
      strip={later && <later.PanelStrip chat={chat} />}
      panel={later && <later.PanelColumn column={column} chat={chat} onPick={onPick} />}
    />
  );
}
