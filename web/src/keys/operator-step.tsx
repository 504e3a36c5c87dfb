import type { Message } from '@parley/schema/messages/messages';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PROVIDERS_PATH, USAGE_PATH } from '../catalog/provider-paths.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { trpc } from '../trpc.ts';
import { buttonClasses } from '../ui/button-classes.ts';

export interface OperatorStep {
  href: string;
  label: ParseKeys;
}

/** The page where an administrator mends why a reply failed; null for everybody else, and where there is none. */
export function useOperatorStep({ endpoint, reason }: Pick<Message, 'endpoint' | 'reason'>): OperatorStep | null {
  const isOperator = useIsOperator();
  const isOfKey = reason?.type === 'invalid_api_key' || reason?.type === 'insufficient_quota';
  const { data } = trpc.admin.providers.list.useQuery(undefined, { enabled: isOperator && isOfKey, staleTime: 60_000 });
  if (!isOperator) return null;
  if (reason?.type === 'budget') return { href: USAGE_PATH, label: 'com_error_budget_change' };
  const isSaved = isOfKey && data?.some(({ name, source }) => name === endpoint && source === 'saved');
  if (!isSaved) return null;
  return { href: `${PROVIDERS_PATH}?edit=${encodeURIComponent(endpoint)}`, label: 'com_error_saved_key_change' };
}

export function OperatorStepLink({ step: { href, label } }: { step: OperatorStep }) {
  const { t } = useTranslation();
  return (
    <Link className={buttonClasses({ variant: 'filled', size: 'sm' })} href={href}>
      {t(label)}
    </Link>
  );
}
