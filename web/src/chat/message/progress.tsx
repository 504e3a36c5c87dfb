import type { MessagePart } from '@parley/schema/messages';
import { useTranslation } from 'react-i18next';
import { Cursor } from '../../content/cursor.tsx';
import { describeReason } from '../../lib/describe-reason.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import classes from './message.module.css';

interface ProgressProps {
  /** Undefined when this page has not begun to read along. */
  exchange: Exchange | undefined;
  lastPart: MessagePart | undefined;
}

/** That something is on its way. Text that is being written carries its own cursor. */
export function Progress({ exchange, lastPart }: ProgressProps) {
  const { t } = useTranslation();
  if (exchange?.status === 'queued') {
    const { why } = exchange;
    return <p className={classes.quiet}>{why ? describeReason(why, t) : t('com_chat_waiting')}</p>;
  }
  if (lastPart?.type === 'text') return null;
  return (
    <div className={classes.progress}>
      <Cursor />
    </div>
  );
}
