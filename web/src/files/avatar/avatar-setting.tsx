import { becomesImage } from '@parley/schema/files/file-types';
import { MEGABYTE } from '@parley/schema/files/file-limits';
import { IconPhoto } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../../session/current-session.ts';
import { api } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { focusIfLost } from '../../lib/focus-if-lost.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { useAvatarBytesMax } from '../upload/file-config.ts';
import { readImageSize } from '../upload/image-size.ts';
import { typeOfFile } from '../upload/type-of-file.ts';
import classes from './avatar-setting.module.css';
import { CropArea } from './crop-area.tsx';
import { cropSquare, MIDDLE } from './crop-square.ts';
import { UserAvatar } from './user-avatar.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { post, UploadError } from '../upload/upload-file.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';

const ACCEPT = '.png,.jpg,.jpeg,.gif,.webp';
const ZOOM_MAX = 3;

interface Chosen {
  file: File;
  url: string;
}

/** Chooses a profile image: a preview first, then the upload. Or takes it away. */
export function AvatarSetting() {
  const { t } = useTranslation();
  const { user } = useAtomValue(session.state);
  const bytesMax = useAvatarBytesMax();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const megabytes = bytesMax === null ? 2 : bytesMax / MEGABYTE;
  useEffect(() => () => void (chosen && URL.revokeObjectURL(chosen.url)), [chosen]);
  const pickButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!chosen && user?.avatar !== undefined) focusIfLost(pickButton.current);
  }, [chosen, user?.avatar]);
  if (!user) return null;

  async function pick(file: File): Promise<void> {
    const isSmall = file.size <= megabytes * MEGABYTE;
    const isImage = isSmall && becomesImage(await typeOfFile(file)) && (await readImageSize(file)) !== null;
    if (isImage) setChosen({ file, url: URL.createObjectURL(file) });
    else showToast({ message: t('com_ui_upload_invalid', { 0: megabytes }), severity: 'error', duration: 5_000 });
  }

  return (
    <section className={classes.frame} aria-labelledby="avatar-title">
      <h2 id="avatar-title" className={classes.title}>
        {t('com_avatar')}
      </h2>
      {chosen ? (
        <Preview chosen={chosen} onDone={() => setChosen(null)} />
      ) : (
        <div className={classes.row}>
          <span className={classes.current}>
            <UserAvatar user={user} />
          </span>
          <div className={classes.choose}>
            <p className={classes.hint}>{t('com_avatar_hint', { 0: megabytes })}</p>
            <ButtonRow>
              <FileButton
                ref={pickButton}
                size="sm"
                label={t('com_avatar_pick')}
                accept={ACCEPT}
                icon={<IconPhoto aria-hidden />}
                onFile={(file) => void pick(file)}
              />
              {user.avatar && <RemoveButton />}
            </ButtonRow>
          </div>
        </div>
      )}
    </section>
  );
}

function RemoveButton() {
  const { t } = useTranslation();
  const showError = useShowError();
  const [isBusy, setBusy] = useState(false);

  async function remove(): Promise<void> {
    setBusy(true);
    try {
      await api.files.removeAvatar.mutate();
      await session.reloadUser();
      showToast({ message: t('com_avatar_removed'), severity: 'success' });
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  }

  return (
    <BusyButton size="sm" isBusy={isBusy} onClick={() => void remove()}>
      {t('com_avatar_remove')}
    </BusyButton>
  );
}

function Preview({ chosen: { file, url }, onDone }: { chosen: Chosen; onDone: () => void }) {
  const { t } = useTranslation();
  const zoomId = useId();
  const [zoom, setZoom] = useState(1);
  const [at, setAt] = useState(MIDDLE);
  const isWhole = zoom === 1 && at === MIDDLE;
  const [isBusy, setBusy] = useState(false);

  async function upload(): Promise<void> {
    setBusy(true);
    try {
      // The server cuts the middle itself, and keeps more of what it is given.
      await uploadAvatar(isWhole ? file : await cropSquare(file, zoom, at));
      showToast({ message: t('com_ui_upload_success'), severity: 'success' });
      onDone();
    } catch {
      showToast({ message: t('com_ui_upload_error'), severity: 'error', duration: 5_000 });
      setBusy(false);
    }
  }

  return (
    <div className={classes.row}>
      <CropArea url={url} zoom={zoom} at={at} onMove={setAt} />
      <div className={classes.choose}>
        <label className={classes.hint} htmlFor={zoomId}>
          {t('com_avatar_zoom')}
        </label>
        <input
          id={zoomId}
          className={classes.zoom}
          type="range"
          min={1}
          max={ZOOM_MAX}
          step={0.05}
          value={zoom}
          onChange={({ currentTarget }) => setZoom(Number(currentTarget.value))}
        />
        <ButtonRow>
          <BusyButton size="sm" variant="filled" isBusy={isBusy} onClick={() => void upload()}>
            {t('com_avatar_upload')}
          </BusyButton>
          <Button size="sm" onClick={onDone}>
            {t('com_ui_cancel')}
          </Button>
        </ButtonRow>
      </div>
    </div>
  );
}

/** Makes the image the user's own and shows it wherever the user is. @throws UploadError */
async function uploadAvatar(image: Blob): Promise<void> {
  const form = new FormData();
  form.append('manual', 'true');
  form.append('input', image, 'avatar');
  const token = await session.freshToken().catch(() => null);
  const never = new AbortController();
  const { status, body } = await post('/api/files/images/avatar', form, token, {
    onProgress: () => {},
    signal: never.signal,
  });
  if (status >= 300) throw new UploadError(body);
  // The renewed session brings the user with the new address.
  await session.refresh().catch(() => null);
}
