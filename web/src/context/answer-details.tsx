import './lazy-words.ts';
import type { Message } from '@parley/schema/messages';
import { costOf, isCharged, ratesOf } from '@parley/schema/rates';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../endpoints/choose.ts';
import { i18n } from '../i18n.ts';
import { DialogFrame } from '../shell/dialogs/dialog-frame.tsx';
import classes from './answer-details.module.css';
import { FactList, type Fact } from './fact-list.tsx';
import { leftOutSentences } from './left-out.ts';

/** Who answered, what that took, and exactly what of the conversation was seen. */
export function AnswerDetails({ message, onClose }: { message: Message; onClose: () => void }) {
  const { t } = useTranslation();
  const { endpoint, model, context } = message;
  const facts = [
    ...(model === null ? [] : [{ name: t('com_context_model'), value: model }]),
    { name: t('com_context_endpoint'), value: endpointLabel(endpoint) },
    ...usageFacts(message, t),
    ...costFacts(message, t),
    ...contextFacts(message, t),
  ];
  return (
    <DialogFrame title={t('com_context_details_title')} size="sm" onClose={onClose}>
      <FactList facts={facts} />
      {!context && <p className={classes.note}>{t('com_context_unknown')}</p>}
      {context &&
        leftOutSentences(context, t).map((sentence) => (
          <p key={sentence} className={classes.note}>
            {sentence}
          </p>
        ))}
    </DialogFrame>
  );
}

/** What the provider told of the tokens, else what we counted, which is marked as a guess. */
function usageFacts({ usage, context }: Message, t: TFunction): Fact[] {
  const about = (tokens: number) => t('com_context_about', { 0: tokens.toLocaleString(i18n.language) });
  const said = (tokens: number) => (usage?.estimated ? about(tokens) : tokens.toLocaleString(i18n.language));
  const input = usage && usage.input > 0 ? said(usage.input) : context?.tokens !== undefined && about(context.tokens);
  return [
    ...(input ? [{ name: t('com_context_input'), value: input }] : []),
    ...(usage ? [{ name: t('com_context_output'), value: said(usage.output) }] : []),
  ];
}

/** Credits in a US dollar. */
const DOLLAR = 1_000_000;
/** Of an answer that cost less than a cent, so many figures matter. */
const FIGURES = 2;

function costFacts({ usage, context, endpointType, model }: Message, t: TFunction): Fact[] {
  if (!usage || !isCharged(endpointType)) return [];
  const input = usage.input > 0 ? usage.input : (context?.tokens ?? 0);
  const dollars = costOf({ input, output: usage.output }, ratesOf(endpointType, model, usage.rates)) / DOLLAR;
  const digits = dollars < 0.01 ? { maximumSignificantDigits: FIGURES } : {};
  const value = dollars.toLocaleString(undefined, { style: 'currency', currency: 'USD', ...digits });
  return [{ name: t('com_context_cost'), value: usage.estimated ? t('com_context_about', { 0: value }) : value }];
}

function contextFacts({ context }: Message, t: TFunction): Fact[] {
  if (!context) return [];
  const { window, reserve, instructions, included, omitted, summary } = context;
  const inTokens = (name: string, count: number | undefined) =>
    count ? [{ name, value: t('com_chat_tokens', { count }) }] : [];
  return [
    { name: t('com_context_seen'), value: included.toLocaleString(i18n.language) },
    { name: t('com_context_left_out'), value: omitted.toLocaleString(i18n.language) },
    ...inTokens(t('com_context_summary'), summary?.tokens),
    ...inTokens(t('com_context_instructions'), instructions),
    ...inTokens(t('com_context_reserve'), reserve),
    ...inTokens(t('com_context_window'), window),
  ];
}
