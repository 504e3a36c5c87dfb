import { IconBrush, IconPhoto } from '@tabler/icons-react';
import { PICTURE_QUALITIES, PICTURE_SIZES, PICTURES_MAX } from '@parley/schema/pictures/models';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from '../catalog/choose-model.ts';
import { ComposerChip } from '../chat/composer/chips/composer-chip.tsx';
import { textModelBefore } from '../chat/text-model.ts';
import type { Chat } from '../chat/use-chat.ts';
import { usePickEndpoint } from '../chat/use-switch-endpoint.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { isPictureModel, usePictureModel } from '../endpoints/pictures/use-picture-models.ts';
import { chooseTextModel } from './choose-text-model.ts';
import { changeWish, dropMark, openPictures, useWish } from './options.ts';
import classes from './pictures.module.css';

const COUNTS = Array.from({ length: PICTURES_MAX }, (_, index) => index + 1);
const SIZES = { square: 'com_pictures_square', wide: 'com_pictures_wide', tall: 'com_pictures_tall' } as const;
const QUALITIES = { draft: 'com_pictures_draft', fine: 'com_pictures_fine' } as const;

/** How many pictures the question is for, in which shape and how fine. */
export function PictureBar({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { conversationId } = chat.slot;
  const can = usePictureModel(chat.modelTarget);
  const catalog = useCatalog();
  const pick = usePickEndpoint(chat);
  const wish = useWish(conversationId);
  const { endpoint = '', model = null } = chat.modelTarget ?? {};
  useEffect(() => {
    const makes = (to: Pick<Choice, 'endpoint' | 'model'>) => isPictureModel(catalog, to);
    return openPictures(conversationId, { by: { endpoint, model }, makes });
  }, [catalog, conversationId, endpoint, model]);
  const back = textModelBefore(conversationId) ?? chooseTextModel(catalog, chat.modelTarget?.endpoint);
  if (!can) return null;
  return (
    <div className={classes.bar} role="group" aria-label={t('com_pictures_options')}>
      <ul className={classes.chips}>
        <ComposerChip
          icon={IconPhoto}
          label={t('com_pictures_image')}
          about={t('com_pictures_about')}
          removal={t('com_pictures_end')}
          {...(back && { onRemove: () => pick(back) })}
        />
        {wish.marked && (
          <ComposerChip
            icon={IconBrush}
            label={t('com_pictures_marked')}
            about={t('com_pictures_marked_about')}
            removal={t('com_pictures_unmark')}
            onRemove={() => dropMark(conversationId)}
          />
        )}
      </ul>
      <Pick
        label={t('com_pictures_count')}
        value={wish.n}
        options={COUNTS.map((n) => [n, t('com_pictures_n', { count: n })])}
        onPick={(n) => changeWish(conversationId, { n })}
      />
      <Pick
        label={t('com_pictures_size')}
        value={wish.size}
        options={PICTURE_SIZES.map((size) => [size, t(SIZES[size])])}
        onPick={(size) => changeWish(conversationId, { size })}
      />
      {can.qualities && (
        <Pick
          label={t('com_pictures_quality')}
          value={wish.quality}
          options={PICTURE_QUALITIES.map((quality) => [quality, t(QUALITIES[quality])])}
          onPick={(quality) => changeWish(conversationId, { quality })}
        />
      )}
    </div>
  );
}

interface PickProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, label: string])[];
  onPick: (value: Value) => void;
}

function Pick<Value extends string | number>({ label, value, options, onPick }: PickProps<Value>) {
  return (
    <select
      className={classes.pick}
      aria-label={label}
      data-tooltip={label}
      value={options.findIndex(([one]) => one === value)}
      onChange={({ currentTarget }) => {
        const picked = options[Number(currentTarget.value)];
        if (picked) onPick(picked[0]);
      }}
    >
      {options.map(([one, name], index) => (
        <option key={one} value={index}>
          {name}
        </option>
      ))}
    </select>
  );
}
