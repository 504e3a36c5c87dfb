import type { McpServer } from '@parley/schema/tools/mcp-servers';
import { IconChevronDown, IconExternalLink, IconServer } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PartChoice } from '../chat/tools/part-choice.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { TwoClickButton } from '../ui/two-click-button.tsx';
import { describeState, isUntried, needsSignIn, type ServerState } from './server-state.ts';
import { useMcpServer, useSignIn } from './use-mcp-server.ts';
import classes from './tools.module.css';
import { PlainButton } from '../ui/primitives/plain-button.tsx';
import { ScrollText } from '../ui/primitives/scroll-region.tsx';

interface ServerRowProps {
  server: McpServer;
  /** What only tools of the server have of a search: they are shown, and it is unfolded. */
  wanted: string | undefined;
  /** Unfolded from the beginning. */
  isNew: boolean;
  onEdit: () => void;
  onRemoved: () => void;
}

/** A server: its name and state, and unfolded its tools and what can be done with it. */
export function ServerRow({ server, wanted, isNew, onEdit, onRemoved }: ServerRowProps) {
  const { t } = useTranslation();
  const [isTurned, setTurned] = useState(isNew);
  const bodyId = useId();
  const acts = useMcpServer(server);
  const signIn = useSignIn(server, acts.refresh);
  const state = acts.isConnecting ? CONNECTING(t('com_mcp_connecting')) : describeState(server, t);
  const isOpen = isTurned || wanted !== undefined;

  function toggle(): void {
    setTurned(!isTurned);
    if (!isTurned && isUntried(server)) acts.refresh().catch(() => undefined);
  }

  return (
    <li className={classes.row} data-testid={`mcp-${server.id}`}>
      <span className={classes.sign}>
        <IconServer aria-hidden />
      </span>
      <div className={classes.text}>
        <div className={classes.head}>
          <h3 className={classes.name}>
            <PlainButton className={classes.toggle} aria-expanded={isOpen} aria-controls={bodyId} onClick={toggle}>
              <bdi>{server.name}</bdi>
              <IconChevronDown aria-hidden />
            </PlainButton>
          </h3>
          {server.isShared && (
            <span className={classes.badge} data-tooltip={t('com_mcp_shared_hint')}>
              {t('com_mcp_shared')}
            </span>
          )}
          <p className={classes.state} data-tone={state.tone} role="status">
            {signIn.isWaiting ? t('com_mcp_sign_in_waiting') : state.text}
          </p>
        </div>
        <Address url={server.url} />
      </div>
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
      <div id={bodyId} className={classes.body} hidden={!isOpen}>
        {isOpen && (
          <>
            <ProgramLog lines={server.log} />
            <Tools server={server} wanted={wanted} onSet={acts.setTools} />
            <Actions server={server} acts={acts} onEdit={onEdit} onRemoved={onRemoved} />
          </>
        )}
      </div>
    </li>
  );
}

const CONNECTING = (text: string): ServerState => ({ tone: 'quiet', text });

function Address({ url }: Pick<McpServer, 'url'>) {
  const { t } = useTranslation();
  if (url === '') return null;
  if (url === null) return <p className={classes.about}>{t('com_mcp_local')}</p>;
  return (
    <bdi className={classes.address} data-tooltip={url} data-cut dir="ltr">
      {url}
    </bdi>
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
      <ScrollText dir="ltr" role="group" aria-labelledby={id}>
        {lines.join('\n')}
      </ScrollText>
    </figure>
  );
}

interface ToolsProps {
  server: McpServer;
  wanted: string | undefined;
  onSet: (names: string[], isOn: boolean) => void;
}

/** The tools as they were seen last, each with a checkbox. */
function Tools({ server, wanted, onSet }: ToolsProps) {
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
  return <PartChoice label={server.name} parts={parts} wanted={wanted} onSet={onSet} />;
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
    <div className={classes.serverActions}>
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
