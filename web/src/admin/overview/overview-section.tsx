import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import pageClasses from '../../layout/page/page.module.css';
import { formatDateTime } from '../../lib/format-date.ts';
import { trpc } from '../../trpc.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { FailureTable } from './failure-table.tsx';
import { ProcessTable } from './process-table.tsx';
import { StateCards } from './state-cards.tsx';

/** While the page is visible. */
const REREAD_EVERY_MS = 10_000;

/** How the server is at this moment. */
export function OverviewSection() {
  const { t, i18n } = useTranslation();
  const { data, error, dataUpdatedAt } = trpc.admin.overview.useQuery(undefined, {
    refetchInterval: REREAD_EVERY_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  });
  if (!data) return error ? <p className={pageClasses.note}>{describeError(error, t)}</p> : <SkeletonRows count={6} />;
  const readAt = formatDateTime(new Date(dataUpdatedAt).toISOString(), i18n.language);
  return (
    <>
      {error && (
        <p className={pageClasses.note} role="alert">
          {describeError(error, t)} {t('com_overview_stale', { 0: readAt })}
        </p>
      )}
      <StateCards overview={data} />
      <ProcessTable overview={data} />
      <FailureTable failures={data.failures} />
    </>
  );
}
