import { useTranslation } from 'react-i18next';
import { useParams } from 'wouter';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { AssistantList } from './assistant-list.tsx';
import { AssistantPage } from './assistant-page.tsx';
import classes from '../layout/page/page.module.css';
import { Page } from '../layout/page/page.tsx';
import { useCanBuild } from '../endpoints/assistants/use-can-build.ts';
import { BuilderFields } from './builder/builder-fields.tsx';
import { Preview } from './builder/preview.tsx';
import { useBuilder } from './builder/use-builder.ts';
import { ALL_ASSISTANTS } from './assistant-paths.ts';

export { BuilderPanel } from './builder-panel.tsx';

/** The address of a new assistant, in the place of an id. */
const NEW = 'new';

/** The pages of assistants: all of them, one of them, and a new one. */
export function AssistantsScreen() {
  const { t } = useTranslation();
  const { assistantId } = useParams();
  const catalog = useCatalog();
  if (!catalog) {
    return (
      <Page title={t('com_nav_assistants')}>
        <SkeletonRows count={6} />
      </Page>
    );
  }
  if (!catalog.endpoints.assistants) {
    return (
      <Page title={t('com_nav_assistants')}>
        <p className={classes.note}>{t('com_assistants_not_offered')}</p>
      </Page>
    );
  }
  if (assistantId === undefined) return <AssistantList />;
  if (assistantId === NEW) return <NewAssistantPage />;
  return <AssistantPage key={assistantId} assistantId={assistantId} />;
}

/** The page where an assistant is made. */
function NewAssistantPage() {
  const { t } = useTranslation();
  const canBuild = useCanBuild();
  const builder = useBuilder(null);
  return (
    <Page title={t('com_assistants_new')} back={ALL_ASSISTANTS} aside={canBuild && <Preview builder={builder} />}>
      {canBuild ? <BuilderFields builder={builder} /> : <p className={classes.note}>{t('com_assistants_closed')}</p>}
    </Page>
  );
}
