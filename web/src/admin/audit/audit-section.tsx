import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import pageClasses from '../../layout/page/page.module.css';
import { trpc } from '../../trpc.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';

/** What administrators changed, the newest first. */
export function AuditSection() {
  const { t, i18n } = useTranslation();
  const { data: events, error } = trpc.admin.audit.useQuery({}, { refetchOnMount: 'always' });
  if (error) return <p className={pageClasses.note}>{describeError(error, t)}</p>;
  if (!events) return <SkeletonRows count={6} />;
  if (events.length === 0) return <p className={pageClasses.note}>{t('com_admin_audit_none')}</p>;
  return (
    <table>
      <tbody>
        {events.map(({ id, at, event }) => (
          <tr key={id}>
            <td>{new Date(at).toLocaleString(i18n.language)}</td>
            <td>{event}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
