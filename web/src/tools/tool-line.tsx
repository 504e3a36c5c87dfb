import { createElement, useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { toolIcon } from '../chat/tools/tool-icons.ts';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { pluginIcon } from '../plugins/plugin-icon.ts';
import type { Install } from '../plugins/use-install.ts';
import { Button } from '../ui/button.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { TwoClickButton } from '../ui/two-click-button.tsx';
import { useIsOperator } from '../session/use-is-operator.ts';
import type { ToolLine as Line } from './arrange-tools-page.ts';
import classes from './tools.module.css';

const STATES = {
  ready: { word: 'com_tools_ready', tone: 'good' },
  own_key: { word: 'com_tools_own_key', tone: 'good' },
  for_all: { word: 'com_tools_for_all', tone: 'good' },
  not_set_up: { word: 'com_tools_not_set_up', tone: 'quiet' },
  ended: { word: 'com_tools_ended', tone: 'warning' },
  closed: null,
} as const;

interface ToolLineProps {
  line: Line;
  onRemove: Install['uninstall'];
}

/** A tool or a service: what it does, whether it can be used, and what can be done with it. */
export function ToolLine({ line, onRemove }: ToolLineProps) {
  const { t } = useTranslation();
  const nameId = useId();
  const { key, name, about, why, plugin } = line;
  const state = STATES[line.state];
  return (
    <li className={classes.row} data-testid={`tool-${key}`}>
      <span className={classes.sign}>
        {createElement(plugin ? pluginIcon(key) : toolIcon(key), { 'aria-hidden': true })}
      </span>
      <div className={classes.text}>
        <div className={classes.head}>
          <h3 id={nameId} className={classes.name} dir="auto">
            {name}
          </h3>
          {state && (
            <span className={classes.state} data-tone={state.tone}>
              {t(state.word)}
            </span>
          )}
        </div>
        <p className={classes.about} dir="auto" data-tooltip={about}>
          {about}
        </p>
        {why !== null && <p className={classes.why}>{why}</p>}
      </div>
      <Actions line={line} nameId={nameId} onRemove={onRemove} />
    </li>
  );
}

function Actions({ line: { key, state, plugin }, nameId, onRemove }: ToolLineProps & { nameId: string }): ReactNode {
  const { t } = useTranslation();
  const buttonId = useId();
  const showDialog = useShowDialog();
  const isOperator = useIsOperator();
  if (state === 'closed') {
    return (
      isOperator && (
        <Link href="/admin/tools" className={buttonClasses({ size: 'sm' })}>
          {t('com_nav_admin')}
        </Link>
      )
    );
  }
  if (!plugin) return null;

  /** The button goes with what it removed: the row has the focus then, or the search where that goes, too. */
  async function remove(row: Element | null | undefined): Promise<void> {
    if (!plugin) return;
    await onRemove(plugin);
    const next = row?.isConnected ? row.querySelector('button') : null;
    (next ?? document.querySelector<HTMLElement>('#main input'))?.focus();
  }

  const hasKey = state === 'own_key';
  return (
    <div className={classes.actions}>
      {(hasKey || state === 'not_set_up') && (
        // One button in both states, which keeps the focus where the key is saved.
        <Button
          size="sm"
          id={buttonId}
          aria-labelledby={`${buttonId} ${nameId}`}
          onClick={() => showDialog({ name: 'plugins', asked: key })}
        >
          {t(hasKey ? 'com_ui_edit' : 'com_tools_add_key')}
        </Button>
      )}
      {(plugin.isInstalled || hasKey) && (
        <TwoClickButton
          label={t('com_plugins_uninstall')}
          confirm={t('com_ui_confirm_action')}
          describedBy={nameId}
          run={() => remove(document.activeElement?.closest('li'))}
        />
      )}
    </div>
  );
}
