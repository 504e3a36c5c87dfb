import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import type { ToolRow } from '@parley/schema/tools/tool-settings';
import { useTranslation } from 'react-i18next';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';
import providerClasses from '../providers/list/provider-table.module.css';
import { describeProviderError } from '../providers/describe-provider.ts';
import { useAdminAction } from '../use-admin-action.ts';
import { toolAbout, toolLabel, toolState } from './describe-tool.ts';
import classes from './tools.module.css';
import { StateTag } from '../state-tag.tsx';

interface ToolListProps {
  /** The id of its heading. */
  labelledBy: string;
  rows: readonly ToolRow[];
  onOpen: (row: ToolRow) => void;
}

/** Tools with their state, each with its switch. */
export function ToolList({ labelledBy, rows, ...rest }: ToolListProps) {
  return (
    <ul className={classes.list} aria-labelledby={labelledBy}>
      {rows.map((row) => (
        <Row key={row.name} row={row} {...rest} />
      ))}
    </ul>
  );
}

type RowProps = Omit<ToolListProps, 'labelledBy' | 'rows'> & { row: ToolRow };

function Row({ row, onOpen }: RowProps) {
  const { t, i18n } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act, isBusy } = useAdminAction(admin.tools.list, { describe: describeProviderError });
  const { name, kind, state, saved } = row;
  const label = toolLabel(row, t);
  const { tone, word, sentence } = toolState(row, i18n.language, t);
  return (
    <li className={classes.row}>
      <div className={providerClasses.names}>
        <bdi className={providerClasses.name}>{label}</bdi>
        <span className={providerClasses.address} dir={kind === 'server' ? 'ltr' : undefined}>
          {toolAbout(row, t)}
        </span>
      </div>
      <div className={classes.state}>
        {/* Of a built-in tool the switch says it. */}
        {(kind !== 'builtin' || state === 'needs_service') && <StateTag tone={tone}>{word}</StateTag>}
        {sentence !== null && <span className={providerClasses.sentence}>{sentence}</span>}
      </div>
      <div className={classes.actions}>
        <SetUp row={row} label={label} onOpen={onOpen} />
      </div>
      <Switch
        className={classes.switch}
        aria-label={label}
        checked={state !== 'off' && state !== 'operator_off'}
        disabled={state === 'operator_off'}
        onChange={({ currentTarget }) => {
          const change = { name, version: saved?.version ?? null, isOn: currentTarget.checked };
          if (!isBusy) void act(() => client.admin.tools.setOn.mutate(change));
        }}
      />
    </li>
  );
}

/** What is set in the environment can only be tried. */
function SetUp({ row, label, onOpen }: Pick<RowProps, 'row' | 'onOpen'> & { label: string }) {
  const { t } = useTranslation();
  const { kind, source, fields, canTry } = row;
  const isSetHere = fields.length > 0 || (kind === 'server' && source === 'saved');
  if (!isSetHere && !(source === 'environment' && canTry)) return null;
  return (
    <Button variant="subtle" onClick={() => onOpen(row)}>
      {t(isSetHere ? 'com_admin_tools_set_up' : 'com_admin_providers_try')}
      <VisuallyHidden> {label}</VisuallyHidden>
    </Button>
  );
}
