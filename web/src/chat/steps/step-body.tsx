import { toolLog, type ToolCall } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../content/code/code-block.tsx';
import { CallArguments } from './call-arguments.tsx';
import { describeDuration, describeStep, isAtWork, toolState, toolWork } from './describe-step.ts';
import { readCode, formatJson } from './read-arguments.ts';
import { shownOutput } from './step-output.ts';
import classes from './step.module.css';
import { useState, useLayoutEffect, useRef, type ComponentProps } from 'react';
import { TextButton } from '../../ui/text-button/text-button.tsx';
import { ScrollText } from '../../ui/primitives/scroll-region.tsx';

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

const LINES_MAX = 12;
const CHARS_MAX = 1_200;

interface FoldedTextProps {
  text: string;
  /** Its accessible name. */
  label: string;
  /** Nothing is folded. */
  isWhole: boolean;
}

/** The output of a tool: its first lines, and all of it on demand. */
function FoldedText({ text, label, isWhole }: FoldedTextProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const shown = formatJson(text);
  const isLong = shown.length > CHARS_MAX || shown.split('\n', LINES_MAX + 1).length > LINES_MAX;
  const isFolded = isLong && !isOpen && !isWhole;
  return (
    <>
      <FramedText label={label} dir="auto" data-folded={isFolded || undefined}>
        {isFolded ? shown.split('\n', LINES_MAX).join('\n').slice(0, CHARS_MAX).toWellFormed() : shown}
      </FramedText>
      {isLong && (
        <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('com_ui_show_less') : t('com_ui_show_more')}
        </TextButton>
      )}
    </>
  );
}

/** Pixels from the end within which a reader still follows. */
const NEAR_END_PX = 24;

interface RunLogProps {
  text: string;
  /** Its accessible name. */
  label: string;
  isRunning: boolean;
}

/** What a program prints. While it runs, the newest line stays in view, unless its reader scrolls up. */
function RunLog({ text, label, isRunning }: RunLogProps) {
  const frame = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element && isRunning && follows.current) element.scrollTop = element.scrollHeight;
  }, [text, isRunning]);
  return (
    <FramedText
      ref={frame}
      label={label}
      dir="ltr"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {text}
    </FramedText>
  );
}

/** A frame of text as it is, which scrolls inside. */
function FramedText({ label, ...rest }: ComponentProps<'pre'> & { label: string }) {
  return <ScrollText className={classes.text} role="group" aria-label={label} {...rest} />;
}
