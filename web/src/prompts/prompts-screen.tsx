import { useMediaQuery } from '@mantine/hooks';
import type { PromptHead } from '@parley/schema/prompts/prompt-rules';
import { IconFileExport, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'wouter';
import { describeError } from '../errors/describe-error.ts';
import page from '../layout/page/page.module.css';
import { Page } from '../layout/page/page.tsx';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { saveFile } from '../lib/save-file.ts';
import { api } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { FileButton } from '../ui/file-button.tsx';
import { ButtonRow } from '../ui/primitives/button-row.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { OpenPrompt } from './prompt-editor.tsx';
import { promptFile, readPromptFile } from './prompt-file.ts';
import { PromptList } from './prompt-list.tsx';
import { NEW_PROMPT_PATH, PROMPTS_PATH } from './prompt-paths.ts';
import { useChangePrompts, usePrompts } from './use-prompts.ts';
import classes from './prompts.module.css';

/** With less room there is the list or a prompt; the same as in the stylesheet. */
const ROOM_FOR_BOTH = '(min-width: 1200px)';

/** The person's prompts and those that others share, and beside them the one that is open. */
export function PromptsScreen() {
  const { t } = useTranslation();
  const { promptId } = useParams();
  const [query, setQuery] = useState('');
  const hasRoom = useMediaQuery(ROOM_FOR_BOTH, true, { getInitialValueInEffect: false });
  const { data: prompts, error } = usePrompts();
  const isListShown = hasRoom || promptId === undefined;
  return (
    <Page
      title={t('com_prompts')}
      isWide
      {...(!isListShown && { back: { href: PROMPTS_PATH, label: 'com_prompts' } as const })}
      actions={isListShown && <Actions prompts={prompts ?? []} />}
    >
      {isListShown && <p className={page.note}>{t('com_prompts_hint')}</p>}
      {!prompts && error && (
        <p className={page.note} role="alert">
          {describeError(error, t)}
        </p>
      )}
      {!prompts && !error && <SkeletonRows count={6} />}
      {prompts && (
        <div className={classes.columns}>
          {isListShown && <PromptList prompts={prompts} open={promptId} query={query} onQuery={setQuery} />}
          {promptId !== undefined && <OpenPrompt key={promptId} promptId={promptId} prompts={prompts} />}
          {hasRoom && promptId === undefined && prompts.length > 0 && (
            <p className={classes.nothing}>{t('com_prompts_choose')}</p>
          )}
        </div>
      )}
    </Page>
  );
}

function Actions({ prompts }: { prompts: readonly PromptHead[] }) {
  const { t } = useTranslation();
  const own = prompts.filter(({ ownerName }) => ownerName === null);
  return (
    <ButtonRow>
      <ImportButton />
      {own.length > 0 && <ExportButton own={own} />}
      <Link ref={focusIfLost} className={buttonClasses({ variant: 'filled' })} href={NEW_PROMPT_PATH}>
        <IconPlus aria-hidden />
        {t('com_prompts_new')}
      </Link>
    </ButtonRow>
  );
}

/** Of more than so many that were left out the others are counted by an ellipsis. */
const NAMED_MAX = 5;

function ImportButton() {
  const { t, i18n } = useTranslation();
  const { add } = useChangePrompts();
  async function read(file: File): Promise<void> {
    const content = await readPromptFile(file).catch(() => null);
    if (!content) return void showToast({ message: t('com_prompts_import_failed'), severity: 'error' });
    const { prompts, refused } = content;
    const count = prompts.length > 0 ? await add({ prompts }).catch(() => null) : 0;
    if (count === null) return;
    if (count > 0) showToast({ message: t('com_prompts_imported', { count }), severity: 'success' });
    if (refused.length === 0) return;
    const names = [
      ...refused.slice(0, NAMED_MAX).map((name) => `\u2068${name}\u2069`),
      ...(refused.length > NAMED_MAX ? ['…'] : []),
    ];
    const listed = new Intl.ListFormat(i18n.language, { type: 'unit' }).format(names);
    showToast({ message: t('com_prompts_import_left_out', { 0: listed }), severity: 'warning', duration: 10_000 });
  }
  return <FileButton label={t('com_prompts_import')} accept=".json" onFile={(file) => void read(file)} />;
}

function ExportButton({ own }: { own: readonly PromptHead[] }) {
  const { t } = useTranslation();
  async function save(): Promise<void> {
    const read = own.map(({ ownerId, id }) => api.prompts.read.query({ ownerId, id }));
    const prompts = await Promise.all(read).catch(() => null);
    if (prompts) saveFile(promptFile(prompts), 'prompts.json');
    else showToast({ message: t('com_prompts_export_failed'), severity: 'error' });
  }
  return (
    <Button onClick={() => void save()}>
      <IconFileExport aria-hidden />
      {t('com_prompts_export')}
    </Button>
  );
}
