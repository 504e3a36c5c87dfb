import { Combobox } from '@mantine/core';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { modelMarks, modelPurpose, type ModelMarks, type Purpose } from '@parley/schema/catalog/marks';
import { findWindow } from '@parley/schema/catalog/windows';
import { IconBulb, IconCheck, IconEye, IconTool } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import classes from './endpoint-menu.module.css';
import { formatThousands } from '../lib/format-number.ts';
import type { ModelRef } from '../catalog/model-groups.ts';
import { Star } from './star.tsx';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';

interface ModelOptionProps extends ModelRef {
  value: string;
  type: EndpointType;
  /** It is not under the heading of its endpoint. */
  isElsewhere?: boolean;
  /** The context window that the provider reports, in tokens. */
  window: number | undefined;
  isCurrent: boolean;
  isFavourite: boolean;
  onStar: (model: ModelRef) => void;
}

/** A model in the list, what it is for and what it can do. Lists can be long, so an unchanged option does not re-render. */
export const ModelOption = memo(function ModelOption(props: ModelOptionProps) {
  const { value, endpoint, model, type, isElsewhere = false, window, isCurrent, isFavourite, onStar } = props;
  return (
    <Combobox.Option value={value} active={isCurrent} className={classes.item}>
      <span className={classes.check}>{isCurrent && <IconCheck aria-hidden />}</span>
      <span className={classes.name}>
        <span data-testid="model-name">{model}</span>
        {isElsewhere && ' '}
        {isElsewhere && <span className={classes.aside}>{endpointLabel(endpoint)}</span>}
        <PurposeLine model={model} />
      </span>
      <Marks type={type} model={model} window={window ?? findWindow(model)} />
      <Star isFavourite={isFavourite} onPress={() => onStar({ endpoint, model })} />
    </Combobox.Option>
  );
});

function PurposeLine({ model }: { model: string }) {
  const { t } = useTranslation();
  const purpose = modelPurpose(model);
  return purpose && <span className={classes.purpose}>{t(PURPOSE_KEYS[purpose])}</span>;
}

const PURPOSE_KEYS = {
  everyday: 'com_endpoint_for_everyday',
  fast: 'com_endpoint_for_fast',
  hard: 'com_endpoint_for_hard',
  code: 'com_endpoint_for_code',
  web: 'com_endpoint_for_web',
  older: 'com_endpoint_for_older',
} as const satisfies Record<Purpose, string>;

const PRICE_KEYS = {
  1: 'com_endpoint_price_low',
  2: 'com_endpoint_price_usual',
  3: 'com_endpoint_price_high',
} as const satisfies Record<NonNullable<ModelMarks['price']>, string>;

/** In columns, each as wide in every row, so that one looks down and not along. */
function Marks({ type, model, window }: { type: EndpointType; model: string; window: number | undefined }) {
  const { t, i18n } = useTranslation();
  const { seesImages, usesTools, thinks, price } = modelMarks(type, model);
  const size = window && formatThousands(window, i18n.language);
  return (
    <>
      <Mark column="images" label={seesImages && t('com_endpoint_vision')}>
        <IconEye aria-hidden />
      </Mark>
      <Mark column="tools" label={usesTools && t('com_endpoint_tools')}>
        <IconTool aria-hidden />
      </Mark>
      <Mark column="thinking" label={thinks && t('com_endpoint_thinks')}>
        <IconBulb aria-hidden />
      </Mark>
      <Mark column="price" label={price !== null && t(PRICE_KEYS[price])}>
        <span aria-hidden>{'$'.repeat(price ?? 0)}</span>
      </Mark>
      <Mark column="window" label={size ? t('com_endpoint_window', { 0: size }) : false}>
        <span aria-hidden>{size}</span>
      </Mark>
    </>
  );
}

function Mark({ column, label, children }: { column: string; label: string | false; children: ReactNode }) {
  if (label === false) return <span className={classes.mark} data-column={column} />;
  return (
    <span className={classes.mark} data-column={column} data-tooltip={label}>
      {children}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
