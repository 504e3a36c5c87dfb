import type { Message, MessagePart } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { Cursor } from '../../content/cursor.tsx';
import { describeReason } from '../../errors/describe-reason.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { isAtWork } from '../steps/describe-step.ts';
import classes from '../message/message.module.css';
import { useEffect, useState } from 'react';
import { senderLabel } from '../../catalog/sender-label.ts';

interface ProgressProps {
  /** Undefined before this page has subscribed. */
  exchange: Exchange | undefined;
  reply: Message;
  /** What the model is called while its name is hidden. */
  hiddenName?: string | null;
}

/** A progress indicator, or the reason why the message waits. Streaming text and running tools show their own. */
export function Progress({ exchange, reply, hiddenName = null }: ProgressProps) {
  const { t } = useTranslation();
  const lastPart = reply.parts.at(-1);
  if (exchange?.status === 'queued') {
    const { why } = exchange;
    const waiting = why === undefined ? t('com_chat_waiting') : t('com_chat_unreached');
    return <p className="hint">{why && hiddenName === null ? describeReason(why, t) : waiting}</p>;
  }
  if (lastPart?.type === 'text' || isToolAtWork(lastPart)) return null;
  return (
    <div className={classes.progress}>
      <Cursor />
      {lastPart === undefined && <Waiting name={hiddenName ?? reply.model ?? senderLabel(reply)} />}
    </div>
  );
}

function isToolAtWork(part: MessagePart | undefined): boolean {
  return part?.type === 'tool_call' && part.call.state !== undefined && isAtWork(part.call, true);
}

/** When it is said what is waited for, and when that it takes long, in milliseconds. */
const SAID_AFTER_MS = 5_000;
const LONG_AFTER_MS = 20_000;

/** Says after a while that the first word of a reply is waited for. */
function Waiting({ name }: { name: string }) {
  const { t } = useTranslation();
  const [waited, setWaited] = useState<'short' | 'said' | 'long'>('short');
  useEffect(() => {
    const timers = [
      setTimeout(() => setWaited('said'), SAID_AFTER_MS),
      setTimeout(() => setWaited('long'), LONG_AFTER_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <span className={classes.waiting} role="status">
      {waited === 'said' && t('com_chat_waiting_for', { 0: name })}
      {waited === 'long' && t('com_chat_waiting_long', { 0: name })}
    </span>
  );
}
