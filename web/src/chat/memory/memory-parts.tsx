// What an answer remembers or wants to, and what it was shown of all that is remembered.
import type { MemoryOutput } from '@parley/schema/messages/messages';
import { MEMORY_TEXT_MAX } from '@parley/schema/tools/memory-rules';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAtom } from 'jotai';
import { memoryAtom } from '../../account-settings.ts';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import classes from './memory-parts.module.css';

interface CardsProps {
  messageId: string;
  outputs: readonly MemoryOutput[];
}

/** Each sentence once, however often the model said it. */
export function MemoryCards({ messageId, outputs }: CardsProps) {
  const each = [...new Map(outputs.map((output) => [output.text, output])).values()];
  return (
    <ul className={classes.cards}>
      {each.map((output) => (
        <li key={output.text}>
          <Card messageId={messageId} output={output} />
        </li>
      ))}
    </ul>
  );
}

function Card({ messageId, output }: { messageId: string; output: MemoryOutput }) {
  const { t } = useTranslation();
  const isOpen = output.state === 'proposed' || output.state === 'to_forget';
  return (
    <div role="group" className={classes.card} aria-label={t('com_memory')}>
      <p className={classes.label}>{t(`com_memory_${output.state}`)}</p>
      {isOpen ? <Proposal messageId={messageId} output={output} /> : <Sentence text={output.text} />}
    </div>
  );
}

function Sentence({ text }: { text: string }) {
  return (
    <p className={classes.sentence} dir="auto">
      {text}
    </p>
  );
}

function Proposal({ messageId, output }: { messageId: string; output: MemoryOutput }) {
  const { t } = useTranslation();
  const { id, shown, state } = output;
  const proposal = useProposal(messageId, output);
  const [text, setText] = useState<string | null>(null);
  const { isDeclined, isDone, kept } = proposal;
  const isForgetting = state === 'to_forget';
  if (proposal.isLoading) return <Sentence text={output.text} />;
  if (isDone || isDeclined)
    return (
      <>
        <Sentence text={kept ?? output.text} />
        <p className={classes.note} role="status">
          {t(isDeclined ? 'com_memory_declined' : isForgetting ? 'com_memory_forgotten' : 'com_memory_saved')}
        </p>
      </>
    );
  return (
    <>
      {text === null ? (
        <Sentence text={output.text} />
      ) : (
        <TextField
          aria-label={t('com_memory_sentence')}
          maxLength={MEMORY_TEXT_MAX}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          data-autofocus
          dir="auto"
        />
      )}
      {shown.length > 0 && (
        <p className={classes.note} dir="auto">
          {t('com_memory_shown', { 0: shown.join(', ') })}
        </p>
      )}
      {proposal.error !== null && (
        <p className={classes.failure} role="alert">
          {describeError(proposal.error, t)}
        </p>
      )}
      <ButtonRow>
        <Button
          size="sm"
          disabled={proposal.isBusy || text?.trim() === ''}
          onClick={() => proposal.accept(text ?? output.text)}
          data-testid={`memory-save-${id}`}
        >
          {t(isForgetting ? 'com_memory_forget' : 'com_ui_save')}
        </Button>
        {!isForgetting && text === null && (
          <Button size="sm" onClick={() => setText(output.text)}>
            {t('com_memory_edit')}
          </Button>
        )}
        <Button size="sm" variant="subtle" disabled={proposal.isBusy} onClick={proposal.decline}>
          {t('com_memory_no')}
        </Button>
      </ButtonRow>
    </>
  );
}

function useProposal(messageId: string, { id, scope, state }: MemoryOutput) {
  const utils = trpc.useUtils();
  const [memory, setMemory] = useAtom(memoryAtom);
  const list = trpc.memories.list.useQuery();
  const onSuccess = () => utils.memories.list.invalidate();
  const save = trpc.memories.save.useMutation({ onSuccess });
  const remove = trpc.memories.remove.useMutation({ onSuccess });
  const decline = trpc.memories.decline.useMutation({ onSuccess: (memory) => setMemory(memory) });
  const row = list.data?.find((one) => one.id === id);
  const isSaved = row !== undefined || save.isSuccess;
  return {
    isLoading: list.isPending,
    isBusy: save.isPending || remove.isPending || decline.isPending,
    isDone: state === 'proposed' ? isSaved : list.data !== undefined && row === undefined,
    /** As it was saved. */
    kept: row?.text ?? save.data?.text,
    isDeclined: memory?.declined?.includes(id) ?? false,
    error: save.error ?? remove.error ?? decline.error,
    accept(text: string) {
      if (state === 'proposed') save.mutate({ id, text, scope, from: { messageId } });
      else remove.mutate({ id });
    },
    decline: () => decline.mutate({ id }),
  };
}

/** "Used 3 memories", which unfolds into those that are still there. */
export function UsedMemories({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.used} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('com_memory_used', { count: ids.length })}</summary>
      {isOpen && <UsedList ids={ids} />}
    </details>
  );
}

function UsedList({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation();
  const { data, error } = trpc.memories.list.useQuery();
  const used = data?.filter(({ id }) => ids.includes(id)) ?? [];
  const gone = data ? ids.length - used.length : 0;
  if (error) return <p className={classes.failure}>{describeError(error, t)}</p>;
  return (
    <ul>
      {used.map(({ id, text }) => (
        <li key={id} dir="auto">
          {text}
        </li>
      ))}
      {gone > 0 && <li className={classes.note}>{t('com_memory_gone', { count: gone })}</li>}
    </ul>
  );
}
