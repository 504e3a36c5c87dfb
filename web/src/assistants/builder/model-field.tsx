import { useTranslation } from 'react-i18next';
import { endpointTypeOf } from '../../catalog/choose-model.ts';
import { EndpointPicker } from '../../endpoints/endpoint-picker.tsx';
import classes from './builder.module.css';
import type { Builder } from './use-builder.ts';

/** What the operator's own key of assistants is called among the endpoints. */
const OWN = 'assistants';

/** The model that answers, of all that the server offers, by the list that chats have. */
export function ModelField({ builder: { form, change, catalog } }: { builder: Builder }) {
  const { t } = useTranslation();
  const endpoint = form.endpoint || OWN;
  const endpointType = endpointTypeOf(endpoint, catalog?.endpoints[endpoint]);
  return (
    <div className={classes.field}>
      <span className={classes.label}>{t('com_assistants_model')}</span>
      <div className={classes.model}>
        <EndpointPicker
          label={t('com_assistants_model')}
          catalog={catalog}
          modelTarget={{ endpoint, endpointType, model: form.model || null, settings: {} }}
          onPick={({ endpoint: picked, model }) =>
            change({ endpoint: picked === OWN ? '' : picked, model: model ?? form.model })
          }
        />
      </div>
      {form.model === '' && catalog && (
        <p className={classes.error} role="alert">
          {t('com_assistants_model_needed')}
        </p>
      )}
    </div>
  );
}
