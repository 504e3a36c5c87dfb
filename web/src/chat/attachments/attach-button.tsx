import { useMediaQuery } from '@mantine/hooks';
import { IconCamera, IconPaperclip } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { focusComposer } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import type { Chat } from '../use-chat.ts';
import { earlyFiles } from './early-files.ts';
import { DropTarget } from './drop-target.tsx';
import { useAttach } from './use-attach.ts';
import { useForgetLeftFiles } from './use-forget-left-files.ts';

/** With a camera at hand: its button is not worth its place elsewhere. */
const PHONE = '(pointer: coarse) and (max-width: 768px)';

/**
 * Opens the file dialog, and takes what is pasted or dropped. Without an `accept` list, phones offer camera, gallery
 * and files, and desktops hide nothing that the operator may have allowed; the checks tell what is not.
 */
export function AttachButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const index = useSlotIndex();
  const input = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const { isOffered, attach } = useAttach(chat);
  useForgetLeftFiles();
  const attachEarly = useEffectEvent(() => attach(earlyFiles.splice(0)));
  const isLoading = chat.modelTarget === undefined;
  useEffect(() => {
    if (!isLoading) attachEarly();
  }, [isLoading]);
  const target = <DropTarget index={index} isOffered={isOffered} onFiles={attach} />;
  if (!isOffered) return target;
  return (
    <>
      {target}
      <IconButton
        type="button"
        label={t('com_files_attach')}
        data-testid="attach-button"
        onClick={() => input.current?.click()}
      >
        <IconPaperclip aria-hidden />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('com_files_attach')}
        data-testid="attach-input"
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      {isPhone && (
        <>
          <IconButton type="button" label={t('com_files_camera')} onClick={() => camera.current?.click()}>
            <IconCamera aria-hidden />
          </IconButton>
          <input
            ref={camera}
            type="file"
            accept="image/*"
            capture="environment"
            hidden
            tabIndex={-1}
            aria-label={t('com_files_camera')}
            data-testid="camera-input"
            onChange={({ currentTarget }) => take(currentTarget)}
          />
        </>
      )}
    </>
  );

  function take(field: HTMLInputElement): void {
    const files = [...(field.files ?? [])];
    // Browsers report no change when the same file is chosen again.
    field.value = '';
    attach(files);
    focusComposer(index);
  }
}
