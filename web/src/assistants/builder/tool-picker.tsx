import '../../locales/load/tools.ts';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toolInWords } from '../../chat/tools/tool-labels.ts';
import { describeHindrance } from '../../plugins/describe-hindrance.ts';
import { paginate } from '../../lib/paginate.ts';
import { Pager } from '../../ui/pager.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { findTools } from './find-tools.ts';
import { PluginInstall } from './plugin-install.tsx';
import classes from './tool-picker.module.css';

interface ToolPickerProps {
  chosen: readonly string[];
  onToggle: (key: string) => void;
  onClose: () => void;
}

/** Adds tools to an assistant, or takes them out. They are saved with it. */
export function ToolPicker({ chosen, onToggle, onClose }: ToolPickerProps) {
  const { t, i18n } = useTranslation();
  const { data, isError, refetch } = trpc.assistants.tools.useQuery();
  const [text, setText] = useState('');
  const [wantedPage, setPage] = useState(0);
  // Switched by itself, among the capabilities.
  const tools = data?.filter(({ key }) => key !== 'image_vision').map((tool) => toolInWords(tool, t));
  const [installing, setInstalling] = useState<string | null>(null);
  const page = paginate(findTools(tools ?? [], text, i18n.language), wantedPage, useColumns() * 2);
  if (installing !== null) {
    return (
      // Closing it leaves the form, for the list.
      <Modal title={t('com_assistants_add_tools')} onClose={() => setInstalling(null)}>
        <PluginInstall
          pluginKey={installing}
          onInstalled={() => onToggle(installing)}
          onEnd={() => setInstalling(null)}
        />
      </Modal>
    );
  }
  return (
    <Modal title={t('com_assistants_add_tools')} isWide onClose={onClose}>
      <SearchField
        placeholder={t('com_assistants_tools_search')}
        value={text}
        data-autofocus
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setPage(0);
        }}
      />
      {!tools && !isError && <SkeletonRows count={4} />}
      {isError && (
        <Button type="button" onClick={() => void refetch()}>
          {t('com_ui_retry')}
        </Button>
      )}
      {tools && page.rows.length === 0 && <p className={classes.empty}>{t('com_assistants_tools_none')}</p>}
      <ul className={classes.grid}>
        {page.rows.map((tool) => (
          <Card
            key={tool.key}
            tool={tool}
            isChosen={chosen.includes(tool.key)}
            onToggle={() => onToggle(tool.key)}
            onInstall={() => setInstalling(tool.key)}
          />
        ))}
      </ul>
      <Pager page={page} onPage={setPage} />
      <p className={classes.empty}>{t('com_assistants_tools_persist')}</p>
    </Modal>
  );
}

interface CardProps {
  tool: ToolInfo;
  isChosen: boolean;
  onToggle: () => void;
  onInstall: () => void;
}

function Card({ tool: { from, description, unavailable, why }, isChosen, onToggle, onInstall }: CardProps) {
  const { t } = useTranslation();
  const label = from.label;
  const needsValues = !isChosen && why?.type === 'values_missing';
  return (
    <li className={classes.card}>
      <h3 className={classes.name}>{label}</h3>
      <p className={classes.description}>
        {unavailable === null ? description : why ? describeHindrance(why, t) : unavailable}
      </p>
      <Button
        size="sm"
        type="button"
        disabled={unavailable !== null && !isChosen && !needsValues}
        onClick={needsValues ? onInstall : onToggle}
      >
        {isChosen ? <IconMinus aria-hidden /> : <IconPlus aria-hidden />}
        {isChosen ? t('com_assistants_remove', { 0: label }) : t('com_assistants_add', { 0: label })}
      </Button>
    </li>
  );
}

/** As many as the stylesheet draws. */
function useColumns(): number {
  const isLarge = useMediaQuery('(min-width: 900px)');
  const isMedium = useMediaQuery('(min-width: 680px)');
  const isSmall = useMediaQuery('(min-width: 480px)');
  return isLarge ? 4 : isMedium ? 3 : isSmall ? 2 : 1;
}
