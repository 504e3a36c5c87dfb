import { IconExternalLink, IconLogin2, IconShieldQuestion } from '@tabler/icons-react';
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import type { ToolCall, ToolOrigin } from '@parley/schema/messages/messages';
import { useId, useState, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { buttonClasses } from '../../ui/button-classes.ts';
import { trpc } from '../../trpc.ts';
import { CodeBlock } from '../../content/code/code-block.tsx';
import { CallArguments } from './call-arguments.tsx';
import { labelInWords, toolPart, wholeLabel, toolWork } from './describe-step.ts';
import { readCode, readDestination } from './read-arguments.ts';
import classes from './approval-requests.module.css';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';

/** Takes the decisions about all calls that wait, by their ids. A plan is started by `research`. */
export type Decide = (decisions: Record<string, Decision>, research?: AskInput['research']) => void;

interface RequestsProps {
  /** Those that wait. */
  calls: readonly ToolCall[];
  /** The decisions are on their way. */
  isSending: boolean;
  onDecide: Decide | undefined;
}

/** What tools wait for, each with its buttons. The reply goes on when everything is decided. */
export function ApprovalRequests({ calls, isSending, onDecide }: RequestsProps) {
  const { t } = useTranslation();
  const [decisions, setDecisions] = useState<Record<string, Decision>>({});
  const isDisabled = isSending || !onDecide;

  function decide(id: string, decision: Decision): void {
    const all = { ...decisions, [id]: decision };
    setDecisions(all);
    if (calls.every((call) => all[call.id])) onDecide?.(all);
  }

  return (
    <div className="stack">
      {calls.map((call) => {
        const Card = call.needs === 'sign_in' ? SignInCard : ApprovalCard;
        return (
          <Card
            key={call.id}
            call={call}
            decision={decisions[call.id]}
            isDisabled={isDisabled}
            onDecide={(decision) => decide(call.id, decision)}
          />
        );
      })}
      {calls.length > 1 && <p className={classes.hint}>{t('com_tools_decide_rest')}</p>}
    </div>
  );
}

interface CardProps {
  call: ToolCall;
  /** What was pressed. */
  decision: Decision | undefined;
  isDisabled: boolean;
  onDecide: (decision: Decision) => void;
}

/** Asks whether a tool may be called. It never takes the focus, so no key press meant for elsewhere allows anything. */
function ApprovalCard({ call, decision, isDisabled, onDecide }: CardProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const { method, host } = readDestination(call.input);
  const destination = call.does ?? [method, host].filter(Boolean).join(' ');
  const choices = [
    ['allow', t('com_tools_allow')] as const,
    ...(call.isAskedEachTime ? [] : [['always', t('com_tools_always')] as const]),
    ['deny', t('com_tools_deny')] as const,
  ];
  return (
    <section className={classes.card} aria-labelledby={titleId} data-testid="approval">
      <h2 id={titleId} className={classes.title} dir="auto">
        <IconShieldQuestion aria-hidden />
        {t('com_tools_approve_title', { 0: wholeLabel(call, t) })}
      </h2>
      <p className={classes.hint}>
        {t(toolWork(call) === 'page' ? 'com_tools_approve_page_hint' : 'com_tools_approve_hint')}
      </p>
      {destination !== '' && destination !== toolPart(call) && (
        <p className={classes.destination} dir="ltr">
          {destination}
        </p>
      )}
      {call.from?.source === 'mcp' && <ServerAddress serverId={call.from.id} />}
      {toolWork(call) === 'code' ? (
        <CodeBlock code={readCode(call.input)} language="python" open={false} cursor={false} />
      ) : (
        <CallArguments input={call.input} isOpen={false} isWhole />
      )}
      <ButtonRow className={classes.buttons}>
        {choices.map(([choice, label]) => (
          <Button
            key={choice}
            size="sm"
            variant={choice === 'allow' ? 'filled' : 'default'}
            disabled={isDisabled}
            aria-pressed={decision === choice}
            onClick={() => onDecide(choice)}
          >
            {label}
          </Button>
        ))}
      </ButtonRow>
    </section>
  );
}

/** Where a tool server is, so that a name alone does not decide. That of the operator's own may be kept from others. */
function ServerAddress({ serverId }: { serverId: string }) {
  const { data } = trpc.mcp.list.useQuery();
  const address = data?.find(({ id }) => id === serverId)?.url;
  if (!address || !URL.canParse(address)) return null;
  return (
    <p className={classes.destination} dir="ltr">
      {new URL(address).host}
    </p>
  );
}

/** Sends its reader to the page where they sign in, and goes on when they are back. */
function SignInCard({ call, decision, isDisabled, onDecide }: CardProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const [isAway, setAway] = useState(false);
  const address = call.signInUrl && /^https?:\/\//i.test(call.signInUrl) ? call.signInUrl : null;
  return (
    <section className={classes.card} aria-labelledby={titleId} data-testid="sign-in">
      <h2 id={titleId} className={classes.title} dir="auto">
        <IconLogin2 aria-hidden />
        {t('com_tools_sign_in_title', { 0: labelInWords(call, t) })}
      </h2>
      <p className={classes.hint}>
        {t(call.signInUrl === undefined ? 'com_tools_sign_in_settings_hint' : 'com_tools_sign_in_hint')}
      </p>
      {isAway && call.from && <SignInWatch from={call.from} onSignedIn={() => onDecide('allow')} />}
      <ButtonRow className={classes.buttons}>
        {address && (
          <a
            className={buttonClasses({ variant: 'filled', size: 'sm' })}
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => setAway(true)}
          >
            {t('com_tools_sign_in_open')}
            <IconExternalLink aria-hidden />
          </a>
        )}
        {call.signInUrl === undefined && (
          <Link className={buttonClasses({ variant: 'filled', size: 'sm' })} href="/tools">
            {t('com_tools_sign_in_settings')}
          </Link>
        )}
        <Button size="sm" disabled={isDisabled} aria-pressed={decision === 'allow'} onClick={() => onDecide('allow')}>
          {t('com_ui_continue')}
        </Button>
        <Button
          size="sm"
          variant="subtle"
          disabled={isDisabled}
          aria-pressed={decision === 'deny'}
          onClick={() => onDecide('deny')}
        >
          {t('com_tools_go_without')}
        </Button>
      </ButtonRow>
    </section>
  );
}

interface SignInWatchProps {
  /** Where somebody signs in. */
  from: ToolOrigin;
  /** Called once. */
  onSignedIn: () => void;
}

/**
 * Notices the end of a sign-in, which happens on another page: whenever the person comes back to this one, the server is
 * asked about it. Draws nothing.
 */
function SignInWatch({ from, onSignedIn }: SignInWatchProps) {
  switch (from.source) {
    case 'mcp':
      return <ServerWatch serverId={from.id} onSignedIn={onSignedIn} />;
    case 'action':
      return <ActionWatch actionId={from.id} onSignedIn={onSignedIn} />;
    default:
      return null;
  }
}

function ServerWatch({ serverId, onSignedIn }: { serverId: string; onSignedIn: () => void }) {
  const { data } = trpc.mcp.list.useQuery(undefined, { refetchOnWindowFocus: 'always' });
  useOnce(data?.some((server) => server.id === serverId && server.isSignedIn) === true, onSignedIn);
  return null;
}

/** Tokens that an API refuses may still be stored, so only a new sign-in counts. */
function ActionWatch({ actionId, onSignedIn }: { actionId: string; onSignedIn: () => void }) {
  const { data } = trpc.actions.signedInAt.useQuery(
    { actionId },
    { refetchOnWindowFocus: 'always', staleTime: 0, gcTime: 0 },
  );
  const [before, setBefore] = useState(data);
  if (before === undefined && data !== undefined) setBefore(data);
  useOnce(before !== undefined && data !== before && data !== null, onSignedIn);
  return null;
}

function useOnce(isSignedIn: boolean, onSignedIn: () => void): void {
  const tell = useEffectEvent(onSignedIn);
  useEffect(() => {
    if (isSignedIn) tell();
  }, [isSignedIn]);
}
