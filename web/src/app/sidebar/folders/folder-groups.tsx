import { useAtom, useSetAtom } from 'jotai';
import type { Convo } from '@parley/schema/convos/convos';
import type { Folder } from '@parley/schema/convos/folders';
import { IconChevronRight } from '@tabler/icons-react';
import { useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ListFailure } from '../../../convos/list-failure.tsx';
import { useOpenConvo, useOpenId } from '../../../convos/open-convo.ts';
import { extend, NO_SELECTION, selectionAtom, toggle, type Selection } from '../../../convos/selection.ts';
import { useFolderConvos } from '../../../convos/use-folder-convos.ts';
import { FolderIcon } from '../../../folders/folder-icon.tsx';
import { useFolders, useMoveToFolder } from '../../../folders/use-folders.ts';
import { SkeletonRows } from '../../../ui/skeleton/skeleton-rows.tsx';
import { ConvoRow } from '../convo-row.tsx';
import classes from './folder-groups.module.css';
import { openFolders } from '../../../folders/open-folders.ts';
import { useChatInFolder } from '../../../folders/use-chat-in-folder.ts';
import { Button } from '../../../ui/button.tsx';
import { draggedConvoId, mayBeConvo } from './dragged-convo.ts';
import { PlainButton } from '../../../ui/primitives/plain-button.tsx';
import { LazyBoundary } from '../../../ui/lazy/lazy-boundary.tsx';
import { MoreButton } from '../more-button.tsx';
import { folderMenu } from '../../lazy/lazy-menus.ts';

interface FolderGroupsProps {
  selection: Selection | null;
}

/** The folders above the dated list, each with its conversations once it is open. */
export function FolderGroups({ selection }: FolderGroupsProps) {
  const { t } = useTranslation();
  const folders = useFolders();
  if (folders.length === 0) return null;
  return (
    <section aria-label={t('com_ui_folders')}>
      {folders.map((folder) => (
        <FolderGroup key={folder.id} folder={folder} selection={selection} />
      ))}
    </section>
  );
}

interface FolderGroupProps extends FolderGroupsProps {
  folder: Folder;
}

function FolderGroup({ folder, selection }: FolderGroupProps) {
  const [opened, setOpened] = useAtom(openFolders.entry(folder.id));
  const [asked, setAsked] = useState(0);
  const [isOver, setOver] = useState(false);
  const move = useMoveToFolder();
  const holdsOpen = useOpenConvo()?.folderId === folder.id;
  // Open while it holds the open conversation, unless its user closes it.
  const isOpen = opened ?? holdsOpen;

  function onDragOver(event: DragEvent): void {
    if (!mayBeConvo(event.dataTransfer)) return;
    event.preventDefault();
    setOver(true);
  }

  function onDrop(event: DragEvent): void {
    setOver(false);
    const id = draggedConvoId(event.dataTransfer);
    if (id === null) return;
    event.preventDefault();
    move([id], folder.id);
  }

  return (
    // Rows are dropped on it; the keyboard moves them by their menu.
    <div
      className={classes.folder}
      data-over={isOver || undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <div className={classes.head}>
        <PlainButton
          className={classes.name}
          aria-expanded={isOpen}
          data-tooltip={folder.name}
          data-cut
          onClick={() => setOpened(!isOpen)}
          onContextMenu={(event) => {
            event.preventDefault();
            setAsked(asked + 1);
          }}
        >
          <IconChevronRight className={classes.chevron} aria-hidden />
          <FolderIcon color={folder.color} />
          <span className={classes.title} dir="auto">
            {folder.name}
          </span>
        </PlainButton>
        <FolderMenuButton folder={folder} asked={asked} onAsk={() => setAsked(asked + 1)} />
      </div>
      {isOpen && <FolderRows folder={folder} selection={selection} />}
    </div>
  );
}

interface FolderRowsProps extends FolderGroupsProps {
  folder: Folder;
}

function FolderRows({ folder, selection }: FolderRowsProps) {
  const { t } = useTranslation();
  const openId = useOpenId();
  const { convos, list } = useFolderConvos(folder.id);
  const setSelection = useSetAtom(selectionAtom);

  /** Toggles a row, or selects the range from the last toggled row to it. */
  function choose(convo: Convo, isRange: boolean): void {
    setSelection((known) => {
      const before = known ?? NO_SELECTION;
      return isRange ? extend(before, convo, convos) : toggle(before, convo);
    });
  }

  return (
    <div className={classes.inside}>
      {list.isPending && <SkeletonRows count={2} />}
      {list.isError && <ListFailure onRetry={() => void list.refetch()} />}
      {list.isSuccess && convos.length === 0 && <EmptyFolder folder={folder} />}
      {convos.length > 0 && (
        <ul>
          {convos.map((convo) => (
            <li key={convo.conversationId} data-key={convo.conversationId}>
              <ConvoRow
                convo={convo}
                isOpen={convo.conversationId === openId}
                isChosen={selection && selection.chosen.has(convo.conversationId)}
                onChoose={choose}
              />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <PlainButton
          className={classes.more}
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('com_ui_show_more_rows')}
        </PlainButton>
      )}
    </div>
  );
}

function EmptyFolder({ folder }: { folder: Folder }) {
  const { t } = useTranslation();
  const startChat = useChatInFolder();
  return (
    <div className={classes.empty}>
      <p>{t('com_ui_folder_empty')}</p>
      <Button size="sm" onClick={() => startChat(folder)}>
        {t('com_ui_folder_new_chat')}
      </Button>
    </div>
  );
}

interface FolderMenuButtonProps {
  folder: Folder;
  /** How many times the menu was asked for; each opens it anew. */
  asked: number;
  onAsk: () => void;
}

/** The button of a folder's menu. */
function FolderMenuButton({ folder, asked, onAsk }: FolderMenuButtonProps) {
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
