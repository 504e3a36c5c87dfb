import { EVERY_MODEL, type PriceRow, type ProviderPrices } from '@parley/schema/catalog/prices';
import { findPictureModel, type PictureModel } from '@parley/schema/pictures/models';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminForm, useAdminForm, type TypedProps } from '../../admin-form.tsx';
import { RowButton } from '../../admin-list.tsx';
import adminClasses from '../../admin.module.css';
import { DataTable } from '../../data-table.tsx';
import {
  TOKEN_FIELDS,
  isWrong,
  pictureFields,
  picturePrices,
  pictureRange,
  priceMax,
  readPrice,
  tokenFields,
  typedPrice,
  typedPrices,
  type PriceField,
} from './price-values.ts';
import classes from './prices.module.css';
import { useAdminAction } from '../../use-admin-action.ts';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { endpointLabel } from '../../../catalog/choose-model.ts';
import { describeError } from '../../../errors/describe-error.ts';
import { formatNumber } from '../../../lib/format-number.ts';
import { trpc } from '../../../trpc.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { SkeletonRows } from '../../../ui/skeleton/skeleton-rows.tsx';

/** What the models of a provider cost here: in a table, and a form for one price at a time. */
export function PricesDialog({ endpoint, onClose }: { endpoint: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error } = trpc.admin.providers.prices.useQuery(
    { name: endpoint },
    { refetchOnMount: 'always', gcTime: 0 },
  );
  return (
    <Modal title={t('com_prices_title', { 0: endpointLabel(endpoint) })} isWide onClose={onClose}>
      <p className={adminClasses.hint}>
        {t('com_prices_about')} {data && t(data.isLocal ? 'com_prices_local' : 'com_prices_listed')}
      </p>
      <FailureAlert sentence={error && describeError(error, t)} />
      {!data && !error && <SkeletonRows count={3} />}
      {data && <Prices endpoint={endpoint} prices={data} />}
    </Modal>
  );
}

function Prices({ endpoint, prices: { rows, version } }: { endpoint: string; prices: ProviderPrices }) {
  const { t } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act, isBusy, failure } = useAdminAction(admin.providers.prices, { isInPlace: true });
  const [edited, setEdited] = useState<PriceRow | 'new' | null>(null);
  const add = useFocusAfter(edited !== null);

  async function remove({ model }: PriceRow): Promise<void> {
    await act(() => client.admin.providers.removePrice.mutate({ name: endpoint, model, version }));
    add.current?.focus();
  }

  return (
    <>
      <FailureAlert sentence={failure} />
      {rows.length > 0 && (
        <PriceTable
          endpoint={endpoint}
          rows={rows}
          isBusy={isBusy}
          onEdit={setEdited}
          onRemove={(row) => void remove(row)}
        />
      )}
      {edited === null ? (
        <div>
          <Button ref={add} onClick={() => setEdited('new')}>
            {t('com_prices_add')}
          </Button>
        </div>
      ) : (
        <PriceForm
          key={edited === 'new' ? '' : edited.model}
          endpoint={endpoint}
          edited={edited === 'new' ? null : edited}
          prices={{ rows, version }}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

/** What a model of the provider does with pictures; null for one that makes none. */
function useFindPictureModel(endpoint: string): (model: string) => PictureModel | null {
  const { data } = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity });
  const config = data?.[endpoint];
  return (model) => (config ? findPictureModel(config, model) : null);
}

/** A button that gets the focus when what has taken its place is gone. */
function useFocusAfter(isReplaced: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasReplaced = useRef(false);
  useEffect(() => {
    if (wasReplaced.current && !isReplaced) button.current?.focus();
    wasReplaced.current = isReplaced;
  }, [isReplaced]);
  return button;
}

interface TableProps {
  endpoint: string;
  rows: readonly PriceRow[];
  isBusy: boolean;
  onEdit: (row: PriceRow) => void;
  onRemove: (row: PriceRow) => void;
}

function PriceTable({ endpoint, rows, isBusy, onEdit, onRemove }: TableProps) {
  const { t, i18n } = useTranslation();
  const tableId = useId();
  const find = useFindPictureModel(endpoint);
  const hasPictures = rows.some(({ model, price }) => picturePrices(price, find(model)));
  const nameIdOf = (row: PriceRow) => `${tableId}-${rows.indexOf(row)}`;
  return (
    <DataTable<PriceRow>
      cards={classes.table}
      rows={rows}
      keyOf={({ model }) => model}
      columns={[
        {
          title: t('com_usage_model'),
          cell: (row) => <bdi id={nameIdOf(row)}>{row.model === EVERY_MODEL ? t('com_prices_others') : row.model}</bdi>,
        },
        ...TOKEN_FIELDS.map((name) => ({
          title: t(`com_prices_${name}`),
          cell: ({ model, price }: PriceRow) =>
            (tokenFields(find(model)).includes(name) && typedPrice(price[name], i18n.language)) || '–',
        })),
        ...(hasPictures
          ? [
              {
                title: t('com_prices_picture'),
                cell: ({ model, price }: PriceRow) => pictureRange(picturePrices(price, find(model)), i18n.language),
              },
            ]
          : []),
        {
          title: t('com_files_column_actions'),
          className: classes.actions,
          isTitleHidden: true,
          isPlain: true,
          cell: (row) =>
            row.source === 'yaml' ? (
              <span className={adminClasses.muted}>{t('com_prices_from_file')}</span>
            ) : (
              <>
                <RowButton nameId={nameIdOf(row)} onClick={() => onEdit(row)}>
                  {t('com_ui_edit')}
                </RowButton>
                <RowButton nameId={nameIdOf(row)} disabled={isBusy} onClick={() => onRemove(row)}>
                  {t('com_admin_providers_remove')}
                </RowButton>
              </>
            ),
        },
      ]}
    />
  );
}

interface FormProps {
  endpoint: string;
  /** Null for a new price. */
  edited: PriceRow | null;
  /** The prices that there are. */
  prices: Pick<ProviderPrices, 'rows' | 'version'>;
  onClose: () => void;
}

/** The price of one model, or of all that have none of their own. */
function PriceForm({ endpoint, edited, prices: { rows, version }, onClose }: FormProps) {
  const { t, i18n } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const find = useFindPictureModel(endpoint);
  const fieldsFor = (can: PictureModel | null) => [...tokenFields(can), ...pictureFields(can)];
  const invalid = (name: PriceField) => t('com_prices_invalid', { 0: formatNumber(priceMax(name), i18n.language) });
  const isTaken = (model: string) => edited === null && rows.some((row) => row.model === model);
  const form = useAdminForm({
    initial: { model: edited?.model ?? '', ...typedPrices(edited?.price, find(edited?.model ?? ''), i18n.language) },
    check: ({ model, ...typed }) => ({
      model: model.trim() === '' ? t('com_prices_no_model') : isTaken(model.trim()) && t('com_prices_taken'),
      ...Object.fromEntries(
        fieldsFor(find(model.trim())).map((name) => [name, isWrong(name, typed[name]) && invalid(name)]),
      ),
    }),
    async save({ model, ...typed }) {
      const price = readPrice(typed, find(model.trim()));
      if (price) await client.admin.providers.setPrice.mutate({ name: endpoint, model: model.trim(), price, version });
    },
    changed: admin.providers.prices,
    isInPlace: true,
    onSaved: onClose,
  });
  const can = find(form.values.model.trim());
  const [first] = fieldsFor(can);
  return (
    <AdminForm form={form} verb={t('com_ui_save')} className={classes.form} onCancel={onClose}>
      <ModelField endpoint={endpoint} isFixed={edited !== null} {...form.typed('model')} />
      <div className={classes.fields}>
        {fieldsFor(can).map((name) => (
          <TextField
            key={name}
            label={t(can && !can.qualities && isSize(name) ? SIZE_LABELS[name] : `com_prices_${name}`)}
            {...form.typed(name)}
            inputMode="decimal"
            dir="ltr"
            {...(edited && name === first && { 'data-autofocus': true, autoFocus: true })}
          />
        ))}
      </div>
      {tokenFields(can).length > 0 && <p className={adminClasses.hint}>{t('com_prices_cached_hint')}</p>}
      {can && <p className={adminClasses.hint}>{t('com_prices_picture_hint')}</p>}
    </AdminForm>
  );
}

/** Where a model is not told how fine a picture is to be. */
const SIZE_LABELS = { draftSquare: 'com_prices_square', draftOther: 'com_prices_wide' } as const;

function isSize(name: PriceField): name is keyof typeof SIZE_LABELS {
  return name in SIZE_LABELS;
}

interface ModelFieldProps extends TypedProps {
  endpoint: string;
  /** A price that is there stays that of its model. */
  isFixed: boolean;
}

/** The name of a model as the provider has it; those that are offered are suggested. */
function ModelField({ endpoint, isFixed, ...typed }: ModelFieldProps) {
  const { t } = useTranslation();
  const listId = useId();
  const { data } = trpc.endpoints.models.useQuery(undefined, { staleTime: Infinity });
  if (isFixed)
    return (
      <p className={classes.model}>
        <bdi>{typed.value === EVERY_MODEL ? t('com_prices_others') : typed.value}</bdi>
      </p>
    );
  return (
    <>
      <TextField
        label={t('com_usage_model')}
        description={t('com_prices_model_hint')}
        {...typed}
        maxLength={256}
        list={listId}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        // What opens the form is gone: the focus goes on.
        autoFocus
      />
      <datalist id={listId}>
        {[EVERY_MODEL, ...(data?.[endpoint] ?? [])].map((name) => (
          <option key={name} value={name}>
            {name === EVERY_MODEL ? t('com_prices_others') : name}
          </option>
        ))}
      </datalist>
    </>
  );
}
