import { endpointTable } from '@parley/schema/catalog/endpoints';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answererName } from '../../endpoints/assistants/assistant-state.ts';
import type { Chat } from '../use-chat.ts';

export interface BoxWords {
  /** The name of the box. */
  label: string;
  /** What one can type, seen while the box is empty; the short form stands where there is no room. */
  invitation: string;
  short: string;
}

/** The same object on each render. */
export function useBoxWords({ modelTarget, assistantState }: Chat): BoxWords {
  const { t } = useTranslation();
  const name = modelTarget && answererName(modelTarget.endpoint, assistantState);
  const label = name ? t('com_endpoint_message_for', { 0: name }) : t('com_endpoint_message');
  const takesFiles = !modelTarget || endpointTable[modelTarget.endpointType].can.attach;
  const invitation = takesFiles ? t('com_chat_invite') : t('com_chat_invite_no_files');
  const short = takesFiles ? t('com_chat_invite_short') : invitation;
  return useMemo(() => ({ label, invitation, short }), [label, invitation, short]);
}
