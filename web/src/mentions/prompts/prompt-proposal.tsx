import { carrySettings } from '@parley/schema/settings/carry-settings';
import type { Prompt } from '@parley/schema/prompts/prompt-rules';
import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent, useId } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useChatSession } from '../../chat/chat-session-context.tsx';
import { useApplyPreset } from '../../chat/header/use-apply-preset.ts';
import { chosenTools, withTools } from '../../chat/tools/arrange-tools.ts';
import { originLabel } from '../../chat/tools/tool-labels.ts';
import { useToolChoice } from '../../chat/tools/use-tool-choice.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { usePresets } from '../../presets/use-presets.ts';
import { hasAgreed, noteAgreement, matchOffer, type PromptOffer } from '../../prompts/prompt-offer.ts';
import { focusComposer, composerId } from '../../slots/focus-composer.ts';
import { draftKeyOf, useSlotIndex } from '../../slots/slot.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import classes from './prompt-form.module.css';

/**
 * Asks above the message box whether the preset and the tools of the inserted prompt are to be used. Those of an own
 * prompt are used without a question once the person has agreed. It goes when the text is sent.
 */
export function PromptProposal({ chat, prompt, onClose }: { chat: Chat; prompt: Prompt; onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const index = useSlotIndex();
  const { drafts } = useChatSession();
  const isEmpty = useAtomValue(drafts.draftAtom(draftKeyOf(chat.slot))) === '';
  const offer = useOffer(chat, prompt);
  const takeOver = useTakeOver(chat);
  const isWhole = offer !== null && !offer.isPresetGone && offer.gone.length === 0;
  const isAgreed = isWhole && hasAgreed(prompt);

  const followAgreement = useEffectEvent(() => {
    if (isAgreed) takeOver(offer);
    if (isAgreed || isEmpty) onClose();
  });
  useEffect(() => followAgreement(), [isAgreed, isEmpty]);

  const frame = document.getElementById(composerId(index))?.closest('form > div');
  if (!offer || !frame || isAgreed || isEmpty) return null;
  function agree(): void {
    if (!offer) return;
    noteAgreement(prompt);
    takeOver(offer);
    close();
  }

  function close(): void {
    onClose();
    focusComposer(index);
  }

  return createPortal(
    <div role="group" aria-labelledby={id} className={classes.form}>
      <div id={id} role="status">
        <OfferInWords offer={offer} />
      </div>
      <ButtonRow end>
        <Button size="sm" onClick={close}>
          {t('com_prompts_offer_later')}
        </Button>
        {(offer.preset !== null || offer.tools.length > 0) && (
          <Button size="sm" variant="filled" onClick={agree}>
            {t('com_prompts_offer_use')}
          </Button>
        )}
      </ButtonRow>
    </div>,
    frame,
  );
}

/** What there is, and what is missing. */
function OfferInWords({ offer: { preset, tools, isPresetGone, gone } }: { offer: PromptOffer }) {
  const { t, i18n } = useTranslation();
  const list = (names: readonly string[]) => new Intl.ListFormat(i18n.language).format(names);
  const there = [
    ...(preset ? [t('com_prompts_offer_preset', { 0: preset.title })] : []),
    ...tools.map((tool) => originLabel(tool.from, t) || tool.key),
  ];
  const missing = [...(isPresetGone ? [t('com_prompts_preset')] : []), ...gone];
  return (
    <>
      {there.length > 0 && <p>{t('com_prompts_offer', { 0: list(there) })}</p>}
      {missing.length > 0 && <p>{t('com_prompts_offer_missing', { 0: list(missing) })}</p>}
    </>
  );
}

/** Null until it is known what there is. */
function useOffer({ modelTarget }: Chat, prompt: Prompt): PromptOffer | null {
  const { presets } = usePresets(Infinity);
  const hasTools = prompt.tools.length > 0;
  const { data: offered } = trpc.tools.list.useQuery(undefined, { enabled: hasTools });
  if (!presets || (hasTools && !offered)) return null;
  const preset = presets.find(({ presetId }) => presetId === prompt.presetId);
  const { endpointType, model } = preset ?? modelTarget ?? { endpointType: null, model: null };
  // The settings of an endpoint without tools have no place for one.
  const takesTools =
    endpointType !== null && chosenTools(carrySettings(endpointType, model, { tools: prompt.tools })).length > 0;
  return matchOffer(prompt, presets, takesTools ? (offered ?? []) : []);
}

/** Returns a function that chooses the preset, and switches the tools on beside those that are on. */
function useTakeOver(chat: Chat): (offer: PromptOffer) => void {
  const { apply } = useApplyPreset(chat);
  const { chosen, select } = useToolChoice(chat);
  return ({ preset, tools }) => {
    const keys = tools.map(({ key }) => key);
    const besides = (on: readonly string[]) => [...new Set([...on, ...keys])];
    if (preset) apply({ ...preset, settings: withTools(preset.settings, besides(chosenTools(preset.settings))) });
    else select(besides(chosen));
  };
}
