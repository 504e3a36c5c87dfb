import type { McpServer } from '@parley/schema/tools/mcp-servers';
import { IconChevronRight, IconExternalLink } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PartChoice } from '../chat/tools/part-choice.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { TwoClickButton } from '../ui/two-click-button.tsx';
import { describeState, isUntried, needsSignIn, type ServerState } from './server-state.ts';
import { useMcpServer, useSignIn } from './use-mcp-server.ts';
import classes from './mcp.module.css';
import { PlainButton } from '../ui/primitives/plain-button.tsx';

interface ServerRowProps {
  server: McpServer;
  /** Unfolded from the beginning. */
  isNew: boolean;
  onEdit: () => void;
  onRemoved: () => void;
}

/** A server: its name and state, and unfolded its tools and what can be done with it. */
export function ServerRow({ server, isNew, onEdit, onRemoved }: ServerRowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(isNew);
  const bodyId = useId();
  const acts = useMcpServer(server);
  const signIn = useSignIn(server, acts.refresh);
  const state = acts.isConnecting ? CONNECTING(t('com_mcp_connecting')) : describeState(server, t);

  function toggle(): void {
    setOpen(!isOpen);
    if (!isOpen && isUntried(server)) acts.refresh().catch(() => undefined);
  }

  return (
    <li className={classes.server} data-testid={`mcp-${server.id}`}>
      <div className={classes.head}>
        <PlainButton className={classes.toggle} aria-expanded={isOpen} aria-controls={bodyId} onClick={toggle}>
          <IconChevronRight aria-hidden />
          <Title server={server} />
        </PlainButton>
        {needsSignIn(server) && (
          <BusyButton
            size="sm"
            isBusy={signIn.isPending}
            aria-label={t('com_tools_sign_in_title', { 0: server.name })}
            onClick={() => void signIn.start()}
          >
            {t('com_mcp_sign_in')}
            <IconExternalLink aria-hidden />
          </BusyButton>
        )}
      </div>
      <p className={classes.state} data-tone={state.tone} role="status">
        {signIn.isWaiting ? t('com_mcp_sign_in_waiting') : state.text}
      </p>
      <div id={bodyId} hidden={!isOpen}>
        {isOpen && (
          <>
            <ProgramLog lines={server.log} />
            <Tools server={server} onSet={acts.setTools} />
            <Actions server={server} acts={acts} onEdit={onEdit} onRemoved={onRemoved} />
          </>
        )}
      </div>
    </li>
  );
}

const CONNECTING = (text: string): ServerState => ({ tone: 'quiet', text });

function Title({ server: { name, url, isShared } }: { server: McpServer }) {
  const { t } = useTranslation();
  return (
    <span className={classes.text}>
      <span className={classes.name}>
        <bdi>{name}</bdi>
        {isShared && (
          <span className={classes.sharedBadge} data-tooltip={t('com_mcp_shared_hint')}>
            {t('com_mcp_shared')}
          </span>
        )}
      </span>
      {url === null && <span className={classes.address}>{t('com_mcp_local')}</span>}
      {url && (
        <bdi className={classes.address} data-tooltip={url} data-cut dir="ltr">
          {url}
        </bdi>
      )}
    </span>
  );
}

/** What the program of a server said before it failed; only administrators get it. */
function ProgramLog({ lines = [] }: { lines: McpServer['log'] }) {
  const { t } = useTranslation();
  const id = useId();
  if (lines.length === 0) return null;
  return (
    <figure className={classes.log}>
      <figcaption id={id} className={classes.note}>
        {t('com_mcp_log')}
      </figcaption>
      {/* What scrolls has to be reachable by key. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre dir="ltr" role="group" aria-labelledby={id} tabIndex={0}>
        {lines.join('\n')}
      </pre>
    </figure>
  );
}

interface ToolsProps {
  server: McpServer;
  onSet: (names: string[], isOn: boolean) => void;
}

/** The tools as they were seen last, each with a checkbox. */
function Tools({ server, onSet }: ToolsProps) {
  const { t } = useTranslation();
  const { tools, isEnabled, reason } = server;
  const isAsked = isEnabled && reason === null && !needsSignIn(server);
  if (tools.length === 0) return isAsked && <p className={classes.note}>{t('com_mcp_tools_none')}</p>;
  const parts = tools.map(({ name, description, isOn, isUnusable }) => ({
    name,
    description,
    unavailable: isUnusable ? t('com_mcp_tool_unusable') : null,
    isOn,
  }));
  return (
    <div className={classes.tools}>
      <PartChoice label={server.name} parts={parts} onSet={onSet} />
    </div>
  );
}

interface ActionsProps {
  server: McpServer;
  acts: ReturnType<typeof useMcpServer>;
  onEdit: () => void;
  onRemoved: () => void;
}

function Actions({ server, acts, onEdit, onRemoved }: ActionsProps) {
  const { t } = useTranslation();
  const { auth, isShared, isEnabled, isSignedIn } = server;
  return (
    <div className={classes.actions}>
      {isEnabled && (
        <BusyButton size="sm" isBusy={acts.isBusy} onClick={() => void acts.refresh().catch(() => undefined)}>
          {t('com_mcp_refresh')}
        </BusyButton>
      )}
      {auth === 'oauth' && isSignedIn && (
        <Button size="sm" onClick={acts.signOut}>
          {t('com_mcp_sign_out')}
        </Button>
      )}
      {!isShared && (
        <>
          <Button size="sm" onClick={() => acts.switchOn(!isEnabled)}>
            {t(isEnabled ? 'com_mcp_switch_off' : 'com_mcp_switch_on')}
          </Button>
          <Button size="sm" onClick={onEdit}>
            {t('com_ui_edit')}
          </Button>
          <TwoClickButton
            label={t('com_ui_delete')}
            confirm={t('com_ui_confirm_action')}
            run={() => acts.remove().then(onRemoved)}
          />
        </>
      )}
    </div>
  );
}
