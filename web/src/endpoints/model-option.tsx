import { Combobox } from '@mantine/core';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { takesImages } from '@parley/schema/catalog/vision';
import { findWindow } from '@parley/schema/catalog/windows';
import { IconCheck, IconEye } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import classes from './endpoint-menu.module.css';
import type { ModelRef } from '../catalog/model-groups.ts';
import { EndpointIcon } from './endpoint-icons.tsx';
import { Star } from './star.tsx';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';

interface ModelOptionProps extends ModelRef {
  value: string;
  /** Set if the option is not under the heading of its endpoint. */
  type?: EndpointType;
  /** The context window that the provider reports, in tokens. */
  window: number | undefined;
  isCurrent: boolean;
  isFavourite: boolean;
  onStar: (model: ModelRef) => void;
}

/** A model in the list with its abilities. Lists can be long, so an unchanged option does not re-render. */
export const ModelOption = memo(function ModelOption(props: ModelOptionProps) {
  const { value, endpoint, model, type, window, isCurrent, isFavourite, onStar } = props;
  return (
    <Combobox.Option value={value} active={isCurrent} className={classes.item}>
      {type && <EndpointIcon endpointType={type} endpoint={endpoint} model={null} size="small" />}
      <span className={classes.name}>
        {model}
        {type && <span className={classes.favouriteEndpoint}>{endpointLabel(endpoint)}</span>}
      </span>
      <Abilities model={model} window={window ?? findWindow(model)} />
      <Star isFavourite={isFavourite} onPress={() => onStar({ endpoint, model })} />
      <span className={classes.check}>{isCurrent && <IconCheck size={16} stroke={1.6} aria-hidden />}</span>
    </Combobox.Option>
  );
});

function Abilities({ model, window }: { model: string; window: number | undefined }) {
  const { t, i18n } = useTranslation();
  const size =
    window && new Intl.NumberFormat(i18n.language, { notation: 'compact', maximumFractionDigits: 0 }).format(window);
  return (
    <>
      {takesImages(model) && (
        <span className={classes.ability} data-tooltip={t('com_endpoint_vision')}>
          <IconEye size={15} stroke={1.6} aria-hidden />
          <VisuallyHidden>{t('com_endpoint_vision')}</VisuallyHidden>
        </span>
      )}
      {size && (
        <span className={classes.ability} data-tooltip={t('com_endpoint_window', { 0: size })}>
          <span aria-hidden>{size}</span>
          <VisuallyHidden>{t('com_endpoint_window', { 0: size })}</VisuallyHidden>
        </span>
      )}
    </>
  );
}
