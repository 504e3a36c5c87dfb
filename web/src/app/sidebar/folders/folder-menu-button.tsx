import type { Folder } from '@parley/schema/convos/folders';
import { useState } from 'react';
import { LazyBoundary } from '../../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../../ui/lazy/lazy-screen.tsx';
import { MoreButton } from '../more-button.tsx';

const menu = lazyScreen(async () => (await import('./folder-menu.tsx')).OpenFolderMenu, 'ahead');

interface FolderMenuButtonProps {
  folder: Folder;
  /** How many times the menu was asked for; each opens it anew. */
  asked: number;
  onAsk: () => void;
}

/** The button of a folder's menu. */
export function FolderMenuButton({ folder, asked, onAsk }: FolderMenuButtonProps) {
  const [failed, setFailed] = useState(0);
  const { name } = folder;
  if (asked > failed) {
    const fallback = <MoreButton name={name} aria-expanded />;
    return (
      <LazyBoundary key={asked} fallback={fallback} onFailure={() => setFailed(asked)}>
        <menu.Screen folder={folder} />
      </LazyBoundary>
    );
  }
  return (
    <MoreButton
      name={name}
      aria-expanded={false}
      onPointerEnter={menu.preload}
      onFocus={menu.preload}
      onClick={onAsk}
    />
  );
}
