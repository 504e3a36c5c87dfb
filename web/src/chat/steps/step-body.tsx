import { toolLog, type ToolCall } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../content/code/code-block.tsx';
import { CallArguments } from './call-arguments.tsx';
import { describeDuration, describeStep, isAtWork, toolState, toolWork } from './describe-step.ts';
import { FoldedText } from './folded-text.tsx';
import { readCode } from './read-arguments.ts';
import { RunLog } from './run-log.tsx';
import { shownOutput } from './step-output.ts';
import classes from './step.module.css';

interface StepBodyProps {
  calls: readonly ToolCall[];
  isWriting: boolean;
  isDrawn: boolean;
  /** What waits shows its arguments with the question. */
  isAsked: boolean;
}

/** What the calls of a step were asked, and what came back. */
export function StepBody({ calls, ...rest }: StepBodyProps) {
  const { isWriting } = rest;
  const { t, i18n } = useTranslation();
  if (calls.length === 1) return calls.map((call) => <Call key={call.id} call={call} {...rest} />);
  return (
    <ol className={classes.calls}>
      {calls.map((call) => (
        <li key={call.id}>
          <p className={classes.name} dir="auto">
            {describeStep([call], isWriting, { t, language: i18n.language })}
            <span className={classes.duration}>{took(call, i18n.language)}</span>
          </p>
          <Call call={call} {...rest} />
        </li>
      ))}
    </ol>
  );
}

function took(call: ToolCall, language: string): string {
  const duration = describeDuration([call], language);
  return duration && ` · ${duration}`;
}

function Call({ call, isWriting, isDrawn, isAsked }: Omit<StepBodyProps, 'calls'> & { call: ToolCall }) {
  const { t } = useTranslation();
  const work = toolWork(call);
  const isCode = work === 'code';
  // The search before a reply lists the files that it found something in; a tool lists passages.
  const isList = work === 'files' && call.step === undefined;
  const state = toolState(call, isWriting);
  const log = toolLog(call);
  const output = shownOutput(call);
  const heard = isList ? t('com_citations_sources') : t('com_chat_tool_output');
  const label = isCode ? t('com_tools_printed') : heard;
  return (
    <div className={classes.body}>
      {isCode ? (
        <CodeBlock code={readCode(call.input)} language="python" open={state === 'writing'} cursor={false} />
      ) : (
        !(isAsked && state === 'waiting') && <CallArguments input={call.input} isOpen={state === 'writing'} />
      )}
      {log !== '' && (
        <section>
          <div className={classes.label}>{t('com_tools_printed')}</div>
          <RunLog text={log} label={t('com_tools_printed')} isRunning={isAtWork(call, isWriting)} />
        </section>
      )}
      {output !== '' && (
        <section>
          <div className={classes.label}>{label}</div>
          <FoldedText text={output} label={label} isWhole={isDrawn} />
        </section>
      )}
    </div>
  );
}
