import { useTranslation } from 'react-i18next';
import { useCanBuild } from '../endpoints/assistants/use-can-build.ts';
import { BuilderFields } from './builder/builder-fields.tsx';
import { Preview } from './builder/preview.tsx';
import { useBuilder } from './builder/use-builder.ts';
import { ALL_ASSISTANTS } from './assistant-paths.ts';
import { Page } from '../layout/page/page.tsx';
import classes from '../layout/page/page.module.css';

/** The page where an assistant is made. */
export function NewAssistantPage() {
  const { t } = useTranslation();
  const canBuild = useCanBuild();
  const builder = useBuilder(null);
  return (
    <Page title={t('com_assistants_new')} back={ALL_ASSISTANTS} aside={canBuild && <Preview builder={builder} />}>
      {canBuild ? <BuilderFields builder={builder} /> : <p className={classes.note}>{t('com_assistants_closed')}</p>}
    </Page>
  );
}
