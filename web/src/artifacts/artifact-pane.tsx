import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  findVersion,
  listVersions,
  type ArtifactMessage,
  type ArtifactVersion,
} from '@parley/schema/artifacts/versions';
import { useAtom } from 'jotai';
import { useEffect, useId, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { openArtifactAtom, type OpenArtifact } from '../content/artifacts/artifact-place.ts';
import { ROOM_FOR_COLUMN } from '../files/open-file.ts';
import { focusComposer } from '../slots/focus-composer.ts';
import { FIRST_SLOT } from '../slots/slot.ts';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';
import { createColumnShare, SideColumn } from '../ui/resizer/side-column.tsx';
import { ArtifactView, type ArtifactViewProps } from './artifact-view.tsx';
import classes from './artifact-pane.module.css';

const width = createColumnShare('artifact');

export interface ArtifactPaneProps {
  open: OpenArtifact;
  /** The answers of the branch that are known, with what is being written. */
  answers: readonly ArtifactMessage[];
  /** Whether these are all. */
  isWhole: boolean;
  /** Whether an answer may say what strangers want. */
  isForeign: (messageId: string) => boolean;
  onAsk?: ArtifactViewProps['onAsk'];
  edits?: ArtifactViewProps['edits'];
  canKeep?: boolean;
  /** There is nothing that it could stand beside. */
  isAlone?: boolean;
}

/** The open artifact beside what it is from; over the whole page where there is no room. */
export function ArtifactPane(props: ArtifactPaneProps) {
  const { open } = props;
  // Another one begins anew.
  return <Pane key={`${open.messageId} ${open.source}`} {...props} />;
}

function Pane({ open, answers, isWhole, isForeign, onAsk, isAlone = false, ...more }: ArtifactPaneProps) {
  const titleId = useId();
  const [, setOpen] = useAtom(openArtifactAtom);
  const hasRoom = useMediaQuery(ROOM_FOR_COLUMN, true, { getInitialValueInEffect: false }) && !isAlone;
  const pane = useRef<HTMLElement>(null);
  // What covers the page has nothing beside it.
  const leave = () => (hasRoom ? focusComposer(FIRST_SLOT) : focusTab(pane.current));
  useF6(pane, leave);
  const { versions, shown, show } = useVersions(open, answers);
  const [isFull, setFull] = useState(false);

  function close(): void {
    setOpen(null);
    if (open.opener instanceof HTMLElement && open.opener.isConnected) open.opener.focus({ preventScroll: true });
  }

  const view = (
    <ArtifactView
      versions={versions}
      shown={shown}
      isNumbered={isWhole && shown.version > 0}
      titleId={titleId}
      isForeign={isForeign(shown.messageId)}
      {...more}
      onAsk={
        onAsk &&
        ((...question) => {
          // What covers the message box makes room for it.
          if (!hasRoom) setOpen(null);
          setFull(false);
          onAsk(...question);
        })
      }
      onLeave={leave}
      {...(hasRoom && { full: { isFull, toggle: () => setFull(!isFull) } })}
      onShow={show}
      onClose={close}
    />
  );
  if (!hasRoom)
    return (
      <Sheet pane={pane} titleId={titleId} onClose={close}>
        {view}
      </Sheet>
    );
  return (
    <Column pane={pane} titleId={titleId} isFull={isFull} onEscape={() => (isFull ? setFull(false) : close())}>
      {view}
    </Column>
  );
}

/** A block that is no version of anything is shown alone. */
function useVersions(open: OpenArtifact, answers: readonly ArtifactMessage[]) {
  const all = useMemo(() => listVersions(answers), [answers]);
  const opened = findVersion(all, open);
  const versions = opened ? all.filter(({ id }) => id === opened.id) : [asAlone(open)];
  // Anyone who looks at the newest one sees the next one come.
  const [chosen, setChosen] = useState(() => (opened && opened !== versions.at(-1) ? opened.version : null));
  const newest = versions.at(-1) ?? asAlone(open);
  const shown = versions.find(({ version }) => version === chosen) ?? newest;
  const show = ({ version }: ArtifactVersion) => setChosen(version === newest.version ? null : version);
  return { versions, shown, show };
}

function asAlone({ kind, title, language, source, messageId }: OpenArtifact): ArtifactVersion {
  return { id: '', kind, title, language, source, messageId, isClosed: true, isEdited: false, version: 0 };
}

interface ColumnProps {
  pane: RefObject<HTMLElement | null>;
  titleId: string;
  isFull: boolean;
  onEscape: () => void;
  children: ReactNode;
}

function Column({ pane, titleId, isFull, onEscape, children }: ColumnProps) {
  const { t } = useTranslation();
  useEffect(() => focusTab(pane.current), [pane]);
  return (
    <SideColumn
      column={pane}
      width={width}
      resizeLabel={t('com_artifact_resize')}
      isFull={isFull}
      titleId={titleId}
      testId="artifact-pane"
      onEscape={onEscape}
    >
      {children}
    </SideColumn>
  );
}

interface SheetProps extends Pick<ColumnProps, 'pane' | 'titleId' | 'children'> {
  onClose: () => void;
}

function Sheet({ pane, titleId, onClose, children }: SheetProps) {
  return (
    <Modal.Root
      opened
      fullScreen
      lockScroll={false}
      onClose={onClose}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-labelledby={titleId} data-testid="artifact-pane">
        <section ref={pane} className={classes.sheet}>
          {children}
        </section>
      </Modal.Content>
    </Modal.Root>
  );
}

function focusTab(column: HTMLElement | null): void {
  column?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus({ preventScroll: true });
}

/** False where nothing runs in sight. */
function focusRunning(pane: HTMLElement | null): boolean {
  const frame = pane?.querySelector<HTMLElement>('iframe[src="/artifact/frame.html"]');
  if (!frame?.checkVisibility()) return false;
  frame.focus();
  return true;
}

/** F6 goes from the chat to the pane, from there into what runs in it, and out again, which its frame tells. */
function useF6(pane: RefObject<HTMLElement | null>, leave: () => void): void {
  useEventListener('keydown', (event) => {
    if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (!pane.current?.contains(document.activeElement)) focusTab(pane.current);
    else if (!focusRunning(pane.current)) leave();
  });
}
