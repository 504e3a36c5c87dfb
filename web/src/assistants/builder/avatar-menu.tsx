import { Menu } from '@mantine/core';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { MEGABYTE } from '@parley/schema/files/file-limits';
import { becomesImage } from '@parley/schema/files/file-types';
import { IconPhoto, IconTrash } from '@tabler/icons-react';
import { useAtom } from 'jotai';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AssistantAvatar } from '../../endpoints/assistants/assistant-avatar.tsx';
import { putAssistant } from '../../endpoints/assistants/use-assistants.ts';
import { describeError } from '../../errors/describe-error.ts';
import { useAvatarBytesMax } from '../../files/upload/file-config.ts';
import { api } from '../../trpc.ts';
import { menuLook, MenuRow } from '../../ui/menu/menu-row.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './builder.module.css';
import { pendingPhotoAtom } from './builder-state.ts';
import { describeUploadError } from '../../files/upload/describe-problem.ts';
import { typeOfFile } from '../../files/upload/type-of-file.ts';
import { uploadPhoto } from './upload-photo.ts';
import { useObjectUrl } from './use-object-url.ts';

const ACCEPT = '.png,.jpg,.jpeg,.gif,.webp';

/** The image of an assistant, and the menu to change it. That of a new one waits until it is created. */
export function AvatarMenu({ assistant }: { assistant: Assistant | null }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [pending, setPending] = useAtom(pendingPhotoAtom);
  const [isBusy, setBusy] = useState(false);
  const bytesMax = useAvatarBytesMax() ?? 2 * MEGABYTE;
  const preview = useObjectUrl(assistant ? null : pending);
  const hasImage = assistant ? assistant.metadata.avatar !== undefined : pending !== null;

  async function pick(file: File): Promise<void> {
    if (file.size > bytesMax || !becomesImage(await typeOfFile(file)))
      return fail(t('com_ui_upload_invalid', { 0: bytesMax / MEGABYTE }));
    if (!assistant) return setPending(file);
    const { assistantId } = assistant;
    setBusy(true);
    try {
      await uploadPhoto(assistantId, file);
      putAssistant(await api.assistants.get.query({ assistantId }));
    } catch (error) {
      fail(describeUploadError(error, t));
    } finally {
      setBusy(false);
    }
  }

  async function remove(): Promise<void> {
    if (!assistant) return setPending(null);
    try {
      putAssistant(await api.assistants.removeAvatar.mutate({ assistantId: assistant.assistantId }));
    } catch (error) {
      fail(describeError(error, t));
    }
  }

  return (
    <>
      <Menu position="bottom-start" withinPortal={false} classNames={menuLook}>
        <Menu.Target>
          <button
            type="button"
            className={classes.avatar}
            aria-label={t('com_assistants_photo')}
            data-tooltip={t('com_assistants_photo')}
            aria-busy={isBusy}
          >
            {preview ? <img src={preview} alt="" /> : <AssistantAvatar assistant={assistant} size="large" />}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuRow icon={IconPhoto} onClick={() => input.current?.click()}>
            {t('com_assistants_upload_photo')}
          </MenuRow>
          {hasImage && (
            <MenuRow icon={IconTrash} onClick={() => void remove()}>
              {t('com_assistants_remove_photo')}
            </MenuRow>
          )}
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        accept={ACCEPT}
        hidden
        tabIndex={-1}
        aria-label={t('com_assistants_upload_photo')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) void pick(file);
        }}
      />
    </>
  );
}

function fail(message: string): void {
  showToast({ message, severity: 'error', duration: 5_000 });
}
