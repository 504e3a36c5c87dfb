import type { Folder } from '@parley/schema/convos/folders';
import { useState } from 'react';
import { LazyBoundary } from '../../../ui/lazy/lazy-boundary.tsx';
import { MoreButton } from '../more-button.tsx';
import { folderMenu } from '../../lazy/lazy-menus.ts';

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
        <folderMenu.Screen folder={folder} />
      </LazyBoundary>
    );
  }
  return (
    <MoreButton
      name={name}
      aria-expanded={false}
      onPointerEnter={folderMenu.preload}
      onFocus={folderMenu.preload}
      onClick={onAsk}
    />
  );
}
