import { IconPlus } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { onUninstall } from '../../plugins/uninstall-events.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { useMenuPart } from '../../ui/menu/use-menu-part.ts';
import { DropTarget } from '../attachments/drop-target.tsx';
import { earlyFiles } from '../attachments/early-files.ts';
import { useAttach } from '../attachments/use-attach.ts';
import { useForgetLeftFiles } from '../attachments/use-forget-left-files.ts';
import { addMenu, contextPicker, toolsMenu } from '../lazy-panels.ts';
import { useLastTools } from '../tools/use-last-tools.ts';
import { useToolChoice } from '../tools/use-tool-choice.ts';
import type { Chat } from '../use-chat.ts';
import classes from './add-button.module.css';
import { focusComposer } from '../../slots/focus-composer.ts';

/** What opens in place of the menu. */
export type AddPart = 'files' | 'chats' | 'tools';

/** Everything that goes along with a question: its menu, the lists that the menu opens, and what is pasted or dropped. */
export function AddButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const index = useSlotIndex();
  const button = useRef<HTMLButtonElement>(null);
  const { isWanted, setWanted, part, open, close } = useMenuPart<AddPart>(button);
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const { isOffered, attach } = useAttach(chat);
  useForgetLeftFiles();
  useAttachEarly(chat, attach);
  useFollowTools(chat);

  const label = t('com_composer_add');
  const buttonProps = { label, 'data-testid': 'add-button', 'aria-haspopup': 'menu' } as const;

  return (
    <div className={classes.anchor}>
      <DropTarget index={index} isOffered={isOffered} onFiles={attach} />
      <FileInputs files={files} camera={camera} onFiles={attach} />
      {isWanted ? (
        <LazyBoundary onFailure={() => setWanted(false)}>
          <addMenu.Screen
            chat={chat}
            buttonProps={buttonProps}
            onFiles={() => files.current?.click()}
            onCamera={() => camera.current?.click()}
            onOpen={open}
          />
        </LazyBoundary>
      ) : (
        <IconButton
          {...buttonProps}
          ref={button}
          aria-expanded={part !== null}
          onPointerEnter={addMenu.preload}
          onFocus={addMenu.preload}
          onClick={() => setWanted(true)}
        >
          <IconPlus aria-hidden />
        </IconButton>
      )}
      {part && (
        <LazyBoundary onFailure={close}>
          <Part part={part} chat={chat} onClose={close} />
        </LazyBoundary>
      )}
    </div>
  );
}

function Part({ part, chat, onClose }: { part: AddPart; chat: Chat; onClose: (takesFocus?: boolean) => void }) {
  const { chosen, select } = useToolChoice(chat);
  const leave = () => onClose(false);
  if (part === 'tools') return <toolsMenu.Screen chosen={chosen} onChange={select} onClose={onClose} onLeave={leave} />;
  return <contextPicker.Screen chat={chat} kind={part} onClose={onClose} onLeave={leave} />;
}

/** What was pasted or dropped before the model was known. */
function useAttachEarly({ modelTarget }: Chat, attach: (files: readonly File[]) => void): void {
  const attachEarly = useEffectEvent(() => attach(earlyFiles.splice(0)));
  const isLoading = modelTarget === undefined;
  useEffect(() => {
    if (!isLoading) attachEarly();
  }, [isLoading]);
}

/** The tools of the last chat, without those that are uninstalled. */
function useFollowTools(chat: Chat): void {
  const { chosen, change, select } = useToolChoice(chat);
  useLastTools(chat, change);
  const forget = useEffectEvent((key: string) => {
    if (chosen.includes(key)) select(chosen.filter((one) => one !== key));
  });
  // What was uninstalled meanwhile is told at once, so the tools have to be known.
  const isKnown = chat.modelTarget !== undefined;
  useEffect(() => (isKnown ? onUninstall((key) => forget(key)) : undefined), [isKnown]);
}

interface FileInputsProps {
  files: RefObject<HTMLInputElement | null>;
  camera: RefObject<HTMLInputElement | null>;
  onFiles: (files: readonly File[]) => void;
}

/**
 * The hidden fields behind the rows that open a dialog of files or the camera. Without an `accept` list, phones offer
 * camera, gallery and files, and desktops hide nothing that the operator may have allowed; the checks tell what is not.
 */
function FileInputs({ files, camera, onFiles }: FileInputsProps) {
  const { t } = useTranslation();
  const index = useSlotIndex();

  function take(field: HTMLInputElement): void {
    const chosen = [...(field.files ?? [])];
    // Browsers report no change when the same file is chosen again.
    field.value = '';
    onFiles(chosen);
    focusComposer(index);
  }

  const hidden = { type: 'file', hidden: true, tabIndex: -1 } as const;
  return (
    <>
      <input
        {...hidden}
        ref={files}
        multiple
        aria-label={t('com_files_attach')}
        data-testid="attach-input"
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <input
        {...hidden}
        ref={camera}
        accept="image/*"
        capture="environment"
        aria-label={t('com_files_camera')}
        data-testid="camera-input"
        onChange={({ currentTarget }) => take(currentTarget)}
      />
    </>
  );
}
