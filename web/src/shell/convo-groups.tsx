import type { Convo } from '@parley/schema/convos';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-list.module.css';
import { ConvoRow } from './convo-row.tsx';
import { groupByDate, type DateGroup } from './group-by-date.ts';
import { useOpenId } from './open-convo.ts';
import { useAskRemoval } from './use-ask-removal.tsx';
import { useRename } from './use-rename.ts';
import { useToday } from './use-today.ts';

/** The rows under their dates. */
export function ConvoGroups({ convos }: { convos: Convo[] }) {
  const { i18n } = useTranslation();
  const today = useToday();
  const openId = useOpenId();
  const rename = useRename();
  const { askRemoval, dialog } = useAskRemoval();
  const groups = useMemo(() => groupByDate(convos, today, i18n.language), [convos, today, i18n.language]);
  return (
    <>
      {groups.map((group) => (
        <section key={group.id} aria-labelledby={`convos-${group.id}`}>
          <GroupHeading group={group} />
          <ul className={classes.rows}>
            {group.convos.map((convo) => (
              <ConvoRow
                key={convo.conversationId}
                convo={convo}
                isOpen={convo.conversationId === openId}
                onRename={rename}
                onRemove={askRemoval}
              />
            ))}
          </ul>
        </section>
      ))}
      {dialog}
    </>
  );
}

function GroupHeading({ group }: { group: DateGroup }) {
  const { t } = useTranslation();
  const near: Partial<Record<DateGroup['id'], string>> = {
    today: t('com_ui_date_today'),
    yesterday: t('com_ui_date_yesterday'),
    previous_7_days: t('com_ui_date_previous_7_days'),
    previous_30_days: t('com_ui_date_previous_30_days'),
  };
  return (
    <h2 className={classes.heading} id={`convos-${group.id}`}>
      {near[group.id] ?? group.name}
    </h2>
  );
}
