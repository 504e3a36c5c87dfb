import { useTranslation } from 'react-i18next';
import { useTokenCount } from './use-token-count.ts';
import classes from './params.module.css';

/** The approximate number of context tokens that Bing accepts. */
const CONTEXT_TOKENS = 7_000;

/** The share of Bing's context that a text uses. */
export function ContextTokens({ text }: { text: string }) {
  const { t, i18n } = useTranslation();
  const count = useTokenCount(text) ?? 0;
  const most = CONTEXT_TOKENS.toLocaleString(i18n.language);
  const shown = text === '' ? 0 : count;
  return (
    <>
      <p className={classes.count}>
        {t('com_params_context_tokens', { 0: shown.toLocaleString(i18n.language), 1: most })}
      </p>
      <p className={classes.warning} role="status">
        {shown > CONTEXT_TOKENS && t('com_params_context_over', { 0: most })}
      </p>
    </>
  );
}
