import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { Setting } from '../setting.tsx';

/** After how long this site puts chats into the trash; nothing where it does not. */
export function RetentionRow() {
  const { t, i18n } = useTranslation();
  const { data } = trpc.convos.retention.useQuery();
  if (!data || data.chatsDays === null) return null;
  const days = formatNumber(data.chatsDays, i18n.language);
  return <Setting name={t('com_settings_retention')} hint={t('com_settings_retention_hint', { 0: days })} />;
}
