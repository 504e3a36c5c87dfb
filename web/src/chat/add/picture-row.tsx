import { IconPhotoPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { choosePictureModel, usePictureModel } from '../../endpoints/pictures/use-picture-models.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { keepTextModel } from '../text-model.ts';
import type { Chat } from '../use-chat.ts';
import { usePickEndpoint } from '../use-switch-endpoint.ts';

/** The chat goes on with a model that makes pictures; absent where there is none, and where it does already. */
export function PictureRow({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const catalog = useCatalog();
  const pick = usePickEndpoint(chat);
  const { modelTarget, slot } = chat;
  const isMaking = usePictureModel(modelTarget) !== null;
  const choice = choosePictureModel(catalog, modelTarget?.endpoint);
  if (!choice || isMaking || chat.convo?.columns) return null;

  function begin(to: NonNullable<typeof choice>): void {
    if (modelTarget) keepTextModel(slot.conversationId, modelTarget);
    pick(to);
  }

  return (
    <MenuRow icon={IconPhotoPlus} onClick={() => begin(choice)}>
      {t('com_pictures_create')}
    </MenuRow>
  );
}
