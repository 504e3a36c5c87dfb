import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { chooseReplacement, endpointLabel } from '../../catalog/choose-model.ts';
import { lastChoicesAtom } from '../../catalog/last-choices.ts';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { Button } from '../../ui/button.tsx';
import type { Chat } from '../use-chat.ts';
import { useSwitchEndpoint } from '../use-switch-endpoint.ts';
import classes from './composer.module.css';

/** Says that the model of the conversation is none of this server, before a question is refused, and offers another. */
export function ModelGoneNotice({ chat, modelTarget }: { chat: Chat; modelTarget: ModelTarget }) {
  const { t } = useTranslation();
  const catalog = useCatalog();
  const memory = useAtomValue(lastChoicesAtom);
  const switchTo = useSwitchEndpoint(chat);
  const { endpoint, model } = modelTarget;
  const other = catalog ? chooseReplacement({ endpoint, model }, catalog, memory) : null;
  return (
    <div className={classes.notice}>
      <p role="status">{t('com_switch_gone', { 0: model ?? endpointLabel(endpoint) })}</p>
      {other && (
        // The settings are those of the conversation.
        <Button size="sm" onClick={() => switchTo({ endpoint: other.endpoint, model: other.model }, 'continue')}>
          {t('com_switch_use', { 0: other.model ?? endpointLabel(other.endpoint) })}
        </Button>
      )}
    </div>
  );
}
