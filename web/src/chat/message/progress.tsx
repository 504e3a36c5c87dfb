import type { MessagePart } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { Cursor } from '../../content/cursor.tsx';
import { describeReason } from '../../errors/describe-reason.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { isAtWork } from '../steps/describe-step.ts';
import classes from './message.module.css';

interface ProgressProps {
  /** Undefined before this page has subscribed. */
  exchange: Exchange | undefined;
  lastPart: MessagePart | undefined;
}

/** A progress indicator, or the reason why the message waits. Streaming text and running tools show their own. */
export function Progress({ exchange, lastPart }: ProgressProps) {
  const { t } = useTranslation();
  if (exchange?.status === 'queued') {
    const { why } = exchange;
    return <p className={classes.note}>{why ? describeReason(why, t) : t('com_chat_waiting')}</p>;
  }
  if (lastPart?.type === 'text' || isToolAtWork(lastPart)) return null;
  return (
    <div className={classes.progress}>
      <Cursor />
    </div>
  );
}

function isToolAtWork(part: MessagePart | undefined): boolean {
  return part?.type === 'tool_call' && part.call.state !== undefined && isAtWork(part.call, true);
}
