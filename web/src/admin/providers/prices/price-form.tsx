import { EVERY_MODEL, PRICE_MAX, type Price, type PriceRow } from '@parley/schema/catalog/prices';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../lib/format-number.ts';
import { trpc } from '../../../trpc.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { ButtonRow } from '../../../ui/primitives/button-row.tsx';
import peopleClasses from '../../admin.module.css';
import { isWrong, PRICE_FIELDS, readPrice, typedPrices } from './price-values.ts';
import classes from './prices.module.css';

interface FormProps {
  endpoint: string;
  /** Null for a new price. */
  edited: PriceRow | null;
  /** The prices that there are. */
  rows: readonly PriceRow[];
  isBusy: boolean;
  onSave: (model: string, price: Price) => Promise<void>;
  onCancel: () => void;
}

/** The price of one model, or of all that have none of their own. */
export function PriceForm({ endpoint, edited, rows, isBusy, onSave, onCancel }: FormProps) {
  const { t, i18n } = useTranslation();
  const [model, setModel] = useState(edited?.model ?? '');
  const [typed, setTyped] = useState(() => typedPrices(edited?.price, i18n.language));
  const [isTried, setTried] = useState(false);
  const named = model.trim();
  const isTaken = edited === null && rows.some((row) => row.model === named);
  const price = readPrice(typed);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (named === '' || isTaken || price === null || isBusy) return;
    await onSave(named, price);
  }

  const wrongName = named === '' ? t('com_prices_no_model') : isTaken && t('com_prices_taken');
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      <ModelField
        endpoint={endpoint}
        model={model}
        isFixed={edited !== null}
        error={isTried && wrongName}
        onChange={setModel}
      />
      <div className={classes.fields}>
        {PRICE_FIELDS.map((name) => (
          <TextField
            key={name}
            label={t(`com_prices_${name}`)}
            value={typed[name]}
            inputMode="decimal"
            dir="ltr"
            error={
              isTried &&
              isWrong(name, typed[name]) &&
              t('com_prices_invalid', { 0: formatNumber(PRICE_MAX, i18n.language) })
            }
            onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
            {...(edited && name === 'input' && { 'data-autofocus': true, autoFocus: true })}
          />
        ))}
      </div>
      <p className={peopleClasses.hint}>{t('com_prices_cached_hint')}</p>
      <ButtonRow end>
        <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>
        <BusyButton type="submit" variant="filled" isBusy={isBusy}>
          {t('com_ui_save')}
        </BusyButton>
      </ButtonRow>
    </form>
  );
}

interface ModelFieldProps {
  endpoint: string;
  model: string;
  /** A price that is there stays that of its model. */
  isFixed: boolean;
  error: string | false;
  onChange: (model: string) => void;
}

/** The name of a model as the provider has it; those that are offered are suggested. */
function ModelField({ endpoint, model, isFixed, error, onChange }: ModelFieldProps) {
  const { t } = useTranslation();
  const listId = useId();
  const { data } = trpc.endpoints.models.useQuery(undefined, { staleTime: Infinity });
  if (isFixed)
    return (
      <p className={classes.model}>
        <bdi>{model === EVERY_MODEL ? t('com_prices_others') : model}</bdi>
      </p>
    );
  return (
    <>
      <TextField
        label={t('com_usage_model')}
        description={t('com_prices_model_hint')}
        value={model}
        maxLength={256}
        list={listId}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
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
