import type { Message } from '@parley/schema/messages/messages';
import type { PictureRecord } from '@parley/schema/pictures/picture';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { i18n } from '../../i18n.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatDuration } from '../answer-facts/format-duration.ts';
import { DialogFrame } from '../../dialogs/dialog-frame.tsx';
import { answerCost, describeCost } from '../answer-facts/answer-facts.ts';
import classes from './reply-details.module.css';
import { FactList, type Fact } from './fact-list.tsx';
import { describeOmitted } from './omitted-messages.ts';
import { SentImages } from './sent-images.tsx';
import { ShownFiles } from './shown-files.tsx';

/** Details of a reply: the model, its usage and cost, and which part of the conversation it saw. */
export function ReplyDetails({ message, onClose }: { message: Message; onClose: () => void }) {
  const { t } = useTranslation();
  const { endpoint, model, context } = message;
  const facts = [
    ...(model === null ? [] : [{ name: t('com_context_model'), value: model }]),
    { name: t('com_context_endpoint'), value: endpointLabel(endpoint) },
    { name: t('com_context_time'), value: formatDateTime(message.createdAt, i18n.language) },
    ...durationFacts(message, t),
    ...usageFacts(message, t),
    ...costFacts(message, t),
    ...contextFacts(message, t),
  ];
  return (
    <DialogFrame title={t('com_context_details_title')} size="sm" onClose={onClose}>
      <FactList facts={facts} />
      {!context && <p className={classes.note}>{t('com_context_unknown')}</p>}
      {context &&
        describeOmitted(context, t).map((sentence) => (
          <p key={sentence} className={classes.note}>
            {sentence}
          </p>
        ))}
      {context?.images && context.images.length > 0 && <SentImages images={context.images} />}
      {context?.files && context.files.length > 0 && <ShownFiles files={context.files} />}
    </DialogFrame>
  );
}

/** What pictures were asked for. */
function pictureFacts({ n, size, quality, maskFileId }: PictureRecord, t: TFunction): Fact[] {
  return [
    { name: t('com_pictures_count'), value: n.toLocaleString(i18n.language) },
    { name: t('com_pictures_size'), value: t(`com_pictures_${size}`) },
    { name: t('com_pictures_quality'), value: t(`com_pictures_${quality}`) },
    ...(maskFileId === undefined ? [] : [{ name: t('com_pictures_changed'), value: t('com_pictures_marked') }]),
  ];
}

/** The provider's token counts, else our own, marked as estimates. */
function usageFacts({ usage, context }: Message, t: TFunction): Fact[] {
  if (context?.picture) return pictureFacts(context.picture, t);
  const about = (tokens: number) => t('com_context_about', { 0: tokens.toLocaleString(i18n.language) });
  const said = (tokens: number) => (usage?.estimated ? about(tokens) : tokens.toLocaleString(i18n.language));
  const input = usage && usage.input > 0 ? said(usage.input) : context?.tokens !== undefined && about(context.tokens);
  return [
    ...(input ? [{ name: t('com_context_input'), value: input }] : []),
    ...(usage?.cachedRead ? [{ name: t('com_context_cached'), value: said(usage.cachedRead) }] : []),
    ...(usage ? [{ name: t('com_context_output'), value: said(usage.output) }] : []),
    ...(usage?.reasoning ? [{ name: t('com_context_reasoning'), value: said(usage.reasoning) }] : []),
  ];
}

function costFacts(message: Message, t: TFunction): Fact[] {
  const cost = answerCost(message);
  return cost ? [{ name: t('com_context_cost'), value: describeCost(cost, t, i18n.language) }] : [];
}

function durationFacts({ usage }: Message, t: TFunction): Fact[] {
  if (usage?.tookMs === undefined) return [];
  return [{ name: t('com_context_duration'), value: formatDuration(usage.tookMs, i18n.language) }];
}

function contextFacts({ context }: Message, t: TFunction): Fact[] {
  if (!context || context.picture) return [];
  const { window, reserve, instructions, included, omitted, personal, summary } = context;
  const inTokens = (name: string, count: number | undefined) =>
    count ? [{ name, value: t('com_chat_tokens', { count }) }] : [];
  return [
    { name: t('com_context_seen'), value: included.toLocaleString(i18n.language) },
    { name: t('com_context_left_out'), value: omitted.toLocaleString(i18n.language) },
    ...inTokens(t('com_context_summary'), summary?.tokens),
    ...inTokens(t('com_context_instructions'), instructions),
    ...(personal ? [{ name: t('com_context_personal'), value: t(`com_context_personal_${personal}`) }] : []),
    ...inTokens(t('com_context_reserve'), reserve),
    ...inTokens(t('com_context_window'), window),
  ];
}
