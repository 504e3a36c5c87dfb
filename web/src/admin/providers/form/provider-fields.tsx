import type { ProviderKind } from '@parley/schema/catalog/provider-kinds';
import { useTranslation } from 'react-i18next';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import type { Fields } from '../../admin-form.tsx';
import { PLAIN } from '../../trial.tsx';
import { hasAddress, OTHER, type FieldName, type FormValues } from './form-values.ts';
import classes from './provider-form.module.css';
import choiceClasses from '../../../ui/fields/choices.module.css';

interface FieldsProps {
  kind: ProviderKind;
  fields: Fields<FormValues>;
  /** A key is saved. */
  hasKey: boolean;
  /** Its name stays. */
  isEdited: boolean;
}

/** The fields of one kind of provider. */
export function ProviderFields(props: FieldsProps) {
  const { kind, isEdited, fields } = props;
  const { t } = useTranslation();
  return (
    <>
      {kind === OTHER && !isEdited && (
        <Line fields={fields} name="name" label={t('com_admin_providers_name')} maxLength={64} />
      )}
      {hasAddress(kind) && (
        <Line
          fields={fields}
          name="baseURL"
          label={t('com_admin_providers_address')}
          description={t(kind === OTHER ? 'com_admin_providers_address_hint' : 'com_admin_providers_address_ollama')}
        />
      )}
      {kind.type === 'azureOpenAI' && (
        <div className={classes.beside}>
          <Line fields={fields} name="instanceName" label={t('com_admin_providers_instance')} />
          <Line fields={fields} name="deploymentName" label={t('com_admin_providers_deployment')} />
          <Line fields={fields} name="version" label={t('com_admin_providers_version')} />
        </div>
      )}
      <Key {...props} />
      <Models {...props} />
    </>
  );
}

interface LineProps extends Pick<FieldsProps, 'fields'> {
  name: FieldName;
  label: string;
  description?: string;
  maxLength?: number;
}

function Line({ fields, ...line }: LineProps) {
  const { name } = line;
  return (
    <TextField {...PLAIN} {...line} {...fields.typed(name)} dir={name === 'name' ? 'auto' : 'ltr'} aria-required />
  );
}

function Key({ kind, fields, hasKey }: FieldsProps) {
  const { t } = useTranslation();
  const page = KEY_PAGES[kind.label];
  if (hasAddress(kind) && kind !== OTHER) return null;
  return (
    <div className={classes.key}>
      <PasswordField
        {...PLAIN}
        autoComplete="new-password"
        name="apiKey"
        dir="ltr"
        label={t(kind.needsKey ? 'com_admin_providers_key' : 'com_admin_providers_key_optional')}
        placeholder={hasKey ? t('com_admin_providers_key_kept') : undefined}
        {...fields.typed('apiKey')}
      />
      {page !== undefined && (
        <a className={classes.link} href={page} target="_blank" rel="noreferrer">
          {t('com_admin_providers_key_page', { 0: kind.label })}
        </a>
      )}
    </div>
  );
}

/** All that the provider lists, or the ones that are named. */
function Models({ kind, fields }: FieldsProps) {
  const { t } = useTranslation();
  const { value: isAll, onChange: fetchAll } = fields.picked('isFetched');
  const { value: makesPictures, onChange: setMakesPictures } = fields.picked('makesPictures');
  const isAzure = kind.type === 'azureOpenAI';
  const choice = (isFetched: boolean, label: string) => (
    <label className={choiceClasses.choice}>
      <input type="radio" name="models" checked={isAll === isFetched} onChange={() => fetchAll(isFetched)} />
      {label}
    </label>
  );
  const named = (
    <TextArea
      {...PLAIN}
      name="names"
      autosize
      minRows={isAzure ? 1 : 3}
      maxRows={10}
      dir="ltr"
      aria-required
      label={isAzure ? t('com_admin_providers_model') : undefined}
      aria-label={isAzure ? undefined : t('com_admin_providers_models_named')}
      description={t(isAzure ? 'com_admin_providers_model_azure' : 'com_admin_providers_models_lines')}
      {...fields.typed('models')}
    />
  );
  if (isAzure) return named;
  return (
    <fieldset className={choiceClasses.choices}>
      <legend>{t('com_admin_providers_models')}</legend>
      {choice(true, t('com_admin_providers_models_all'))}
      {choice(false, t('com_admin_providers_models_named'))}
      {!isAll && named}
      {kind.type === 'custom' && (
        <label className={choiceClasses.choice}>
          <input
            type="checkbox"
            name="pictures"
            checked={makesPictures}
            onChange={() => setMakesPictures(!makesPictures)}
          />
          {t('com_admin_providers_pictures')}
        </label>
      )}
    </fieldset>
  );
}

/** Where the keys of each kind of provider are made, by its label. */
const KEY_PAGES: Readonly<Record<string, string>> = {
  OpenAI: 'https://platform.openai.com/api-keys',
  Anthropic: 'https://console.anthropic.com/settings/keys',
  Google: 'https://aistudio.google.com/apikey',
  'Azure OpenAI': 'https://portal.azure.com',
  Mistral: 'https://console.mistral.ai/api-keys',
  Groq: 'https://console.groq.com/keys',
  DeepSeek: 'https://platform.deepseek.com/api_keys',
  xAI: 'https://console.x.ai',
  OpenRouter: 'https://openrouter.ai/keys',
  Together: 'https://api.together.ai/settings/api-keys',
};
