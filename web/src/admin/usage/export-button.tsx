import type { UsageLine } from '@parley/schema/accounts/usage';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { csvLine } from '../../lib/csv.ts';
import { currentCurrency, DOLLAR } from '../../lib/format-number.ts';
import { saveFile } from '../../lib/save-file.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { showToast } from '../../ui/toast/toast.ts';

/** Saves a month as a file: a line for each day, person, model and kind of call. */
export function ExportButton({ month }: { month: string }) {
  const { t } = useTranslation();
  const { admin } = trpc.useUtils().client;
  const [isBusy, setBusy] = useState(false);

  async function save(): Promise<void> {
    const { code } = currentCurrency();
    const names = ['day', 'name', 'email', 'endpoint', 'model', 'kind', 'asks', 'input', 'output', 'credits', code];
    const lines = [csvLine(names)];
    for (let cursor: number | null = 0; cursor !== null;) {
      const page: { lines: UsageLine[]; next: number | null } = await admin.usage.lines.query({ month, cursor });
      for (const line of page.lines) lines.push(lineOf(line));
      cursor = page.next;
    }
    saveFile(new Blob(lines, { type: 'text/csv' }), `usage-${month}.csv`);
  }

  async function run(): Promise<void> {
    setBusy(true);
    await save().catch((error: unknown) => showToast({ message: describeError(error, t), severity: 'error' }));
    setBusy(false);
  }

  return (
    <BusyButton isBusy={isBusy} onClick={() => void run()}>
      {t('com_audit_export')}
    </BusyButton>
  );
}

function lineOf({ day, name, email, endpoint, model, kind, asks, input, output, credits }: UsageLine): string {
  const figures = [asks, input, output, credits].map(String);
  const amount = ((credits / DOLLAR) * currentCurrency().perDollar).toFixed(6);
  return csvLine([day, name, email, endpoint, model ?? '', kind, ...figures, amount]);
}
