import { chooseVisionModel, takesImages } from '@parley/schema/catalog/vision';
import { findPictureModel } from '@parley/schema/pictures/models';
import { useTranslation } from 'react-i18next';
import { endpointModels, type Catalog } from '../../catalog/choose-model.ts';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import classes from './attachment-chips.module.css';

/** Says that the chat's model will not see the attached images. */
export function NoVisionNotice({ modelTarget }: { modelTarget: ModelTarget | null | undefined }) {
  const { t } = useTranslation();
  const catalog = useCatalog();
  const model = catalog && modelTarget && blindModel(modelTarget, catalog);
  return (
    <p className={classes.note} role="status">
      {model && t('com_files_blind', { 0: model })}
    </p>
  );
}

/** The model that would answer a question with images, if it is known and sees none; assistants have one of their own. */
export function blindModel(
  { endpoint, endpointType, model }: Pick<ModelTarget, 'endpoint' | 'endpointType' | 'model'>,
  catalog: Catalog,
): string | null {
  if (model === null || endpointType === 'assistants') return null;
  const config = catalog.endpoints[endpoint];
  if (config && findPictureModel(config, model)?.edits) return null;
  const answering = chooseVisionModel(endpointType, model, endpointModels(endpoint, catalog));
  return takesImages(answering) ? null : answering;
}
