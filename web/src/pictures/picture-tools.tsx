import { IconBrush, IconCopyPlus, IconPaperclip } from '@tabler/icons-react';
import type { ImagePart } from '@parley/schema/messages/messages';
import { findPictureModel, type PictureModel } from '@parley/schema/pictures/models';
import { useAtomValue, useStore } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asDraftAttachment } from '../chat/drafts/draft-attachments.ts';
import { draftStoreOf } from '../chat/drafts/draft-store.ts';
import { keepTextModel } from '../chat/text-model.ts';
import { openDialogAtom } from '../dialogs/open-dialog.ts';
import { choosePictureModel } from '../endpoints/pictures/use-picture-models.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { session } from '../session/current-session.ts';
import { composerId, focusComposer } from '../slots/focus-composer.ts';
import { draftKeyOf, FIRST_SLOT, slotAtom } from '../slots/slot.ts';
import { Button } from '../ui/button.tsx';
import { MaskEditor } from './mask-editor.tsx';
import { changeWish } from './options.ts';
import classes from './pictures.module.css';

const edits = ({ edits: isAble }: PictureModel) => isAble;
const masks = ({ masks: isAble }: PictureModel) => isAble;

/** What can be done with a picture in the large view, where a chat is open behind it. */
export function PictureTools({ image }: { image: ImagePart }) {
  const { t } = useTranslation();
  const store = useStore();
  const { user } = useAtomValue(session.state);
  const catalog = useCatalog();
  const [isMarking, setMarking] = useState(false);
  const slot = useAtomValue(slotAtom(FIRST_SLOT));
  const endpoint = slot.choice?.endpoint;
  const masking = choosePictureModel(catalog, endpoint, masks);
  const editing = masking ?? choosePictureModel(catalog, endpoint, edits);
  if (!user || !document.getElementById(composerId(FIRST_SLOT))) return null;
  const drafts = draftStoreOf(user.id);

  function attach(): void {
    const list = drafts.attachmentsAtom(draftKeyOf(slot));
    const present = store.get(list);
    if (!present.some(({ attachment }) => attachment?.fileId === image.fileId))
      store.set(list, [...present, asDraftAttachment(image)]);
  }

  function change(text?: string, maskFileId?: string): void {
    if (!editing) return;
    attach();
    const draft = drafts.draftAtom(draftKeyOf(slot));
    if (text !== undefined && store.get(draft).trim() === '') store.set(draft, text);
    if (maskFileId !== undefined) changeWish(slot.conversationId, { marked: { fileId: image.fileId, maskFileId } });
    const { choice } = slot;
    const config = choice ? catalog?.endpoints[choice.endpoint] : undefined;
    const isWords = config !== undefined && findPictureModel(config, choice?.model) === null;
    if (choice && isWords) keepTextModel(slot.conversationId, choice);
    store.set(slotAtom(FIRST_SLOT), { ...slot, choice: editing });
    leave();
  }

  /** Also what the picture was opened from is left: the chat goes on. */
  function leave(): void {
    store.set(openDialogAtom, null);
    focusComposer(FIRST_SLOT);
  }

  return (
    <>
      {isMarking && (
        <MaskEditor
          image={image}
          endpoint={editing?.endpoint ?? ''}
          onCancel={() => setMarking(false)}
          onDone={(maskFileId) => change(undefined, maskFileId)}
        />
      )}
      <div className={classes.tools} hidden={isMarking}>
        {editing && (
          <Button onClick={() => (masking ? setMarking(true) : change())}>
            <IconBrush aria-hidden />
            {t('com_pictures_edit')}
          </Button>
        )}
        {editing && (
          <Button onClick={() => change(t('com_pictures_variation'))}>
            <IconCopyPlus aria-hidden />
            {t('com_pictures_variations')}
          </Button>
        )}
        <Button
          onClick={() => {
            attach();
            leave();
          }}
        >
          <IconPaperclip aria-hidden />
          {t('com_pictures_attach')}
        </Button>
      </div>
    </>
  );
}
