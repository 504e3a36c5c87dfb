import type { AppRouter } from '@parley/server/router';
import type { inferRouterOutputs } from '@trpc/server';
import type { ParseKeys, TFunction } from 'i18next';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { describeReason } from '../../errors/describe-reason.ts';
import { formatBytes } from '../../files/format-bytes.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatNumber, formatPercent } from '../../lib/format-number.ts';

/** Below this share a disk is nearly full. */
const FREE_MIN = 0.1;

/** What can be well or not. */
export interface Check {
  title: string;
  /** What an administrator should do something about. */
  problem?: { words: string; section?: { name: string; title: ParseKeys }; isBackup?: boolean } | false;
}

export function checkServer(overview: Overview, waiting: readonly string[], t: TFunction, language: string): Check[] {
  const { processes, silent, disks, files, mail, backup, failures } = overview;
  const failedMail = mail.failedAt !== null && { words: mailSentence(mail, t, language) };
  const unready = processes.filter(({ state }) => state === 'silent').map(({ host }) => host);
  return [
    ...(waiting.length === 0
      ? []
      : [
          {
            title: t('com_people_waiting'),
            problem: { words: waiting.join(', '), section: { name: 'people', title: 'com_people' } } as const,
          },
        ]),
    {
      title: t('com_overview_backup'),
      problem: !backup.made && { words: t('com_overview_backup_none'), isBackup: true },
    },
    ...checkFailures(failures, t, language),
    { title: t('com_overview_database') },
    ...disks.map(({ holds, free, total }) => ({
      title: t(holds === 'data' ? 'com_overview_disk' : 'com_overview_disk_files'),
      problem: free < total * FREE_MIN && {
        words: `${t('com_overview_free', { 0: formatBytes(free, language) })}: ${describeFree({ free, total }, t, language)}`,
        section: { name: 'retention', title: 'com_retention' } as const,
      },
    })),
    { title: t('com_overview_files'), problem: !files.isAnswering && { words: t('com_overview_not_answering') } },
    ...(mail.isSetUp ? [{ title: t('com_overview_mail'), problem: failedMail }] : []),
    {
      title: t('com_overview_processes'),
      problem: (silent > 0 || unready.length > 0) && {
        words: [
          ...unready.map((host) => `${host}: ${t('com_overview_state_silent')}`),
          ...(silent > 0 ? [t('com_overview_silent', { 0: formatNumber(silent, language) })] : []),
        ].join('. '),
      },
    },
  ];
}

/** Which providers failed lately, and why most often. */
function checkFailures(failures: Overview['failures'], t: TFunction, language: string): Check[] {
  if (failures.length === 0) return [{ title: t('com_admin_providers') }];
  return failures.map(({ endpoint, failed, reason }) => {
    const why = describeReason(reason, t, { endpoint, isOperator: true, quotesApart: true });
    return {
      title: endpointLabel(endpoint),
      problem: {
        words: `${t('com_overview_failed')}: ${formatNumber(failed, language)}. ${why}`,
        section: { name: 'providers', title: 'com_admin_providers' },
      },
    };
  });
}

export function describeFree(disk: { free: number; total: number }, t: TFunction, language: string): string {
  const { free, total } = disk;
  return t('com_overview_free_of', { 0: formatPercent(free / total, language), 1: formatBytes(total, language) });
}

export function mailSentence({ isSetUp, failedAt }: Overview['mail'], t: TFunction, language: string): string {
  if (!isSetUp) return t('com_overview_mail_off_hint');
  return failedAt === null
    ? t('com_overview_mail_on_hint')
    : t('com_overview_mail_failed', { 0: formatDateTime(failedAt, language) });
}

export type Overview = inferRouterOutputs<AppRouter>['admin']['overview'];
