import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { senderLabel } from '../../catalog/sender-label.ts';
import type { Message } from '@parley/schema/messages/messages';
import classes from '../message/message.module.css';

/** When it is said what is waited for, and when that it takes long, in milliseconds. */
const SAID_AFTER_MS = 5_000;
const LONG_AFTER_MS = 20_000;

/** Says after a while that the first word of a reply is waited for. */
export function Waiting({ reply }: { reply: Pick<Message, 'model' | 'sender' | 'endpoint' | 'endpointType'> }) {
  const { t } = useTranslation();
  const [waited, setWaited] = useState<'short' | 'said' | 'long'>('short');
  useEffect(() => {
    const timers = [
      setTimeout(() => setWaited('said'), SAID_AFTER_MS),
      setTimeout(() => setWaited('long'), LONG_AFTER_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, []);
  const name = { 0: reply.model ?? senderLabel(reply) };
  return (
    <span className={classes.waiting} role="status">
      {waited === 'said' && t('com_chat_waiting_for', name)}
      {waited === 'long' && t('com_chat_waiting_long', name)}
    </span>
  );
}
