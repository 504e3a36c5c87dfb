import { SPEC_OPERATIONS_MAX, type ListedOperation } from '@parley/schema/assistants/actions';
import { memo, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { hasWords } from '../../ui/fields/has-words.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import builder from '../builder/builder.module.css';
import classes from './operation-list.module.css';
import { InOrder } from '../../ui/primitives/in-order.tsx';

interface OperationListProps {
  /** All operations of the document. */
  operations: readonly ListedOperation[];
  /** The names of those that are on. */
  on: readonly string[];
  onSwitch: (names: readonly string[], isOn: boolean) => void;
}

/** The operations of a document, each of which is on or off: a model is given at most 100. */
export function OperationList({ operations, on, onSwitch }: OperationListProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const [query, setQuery] = useState('');
  const shown = matching(operations, query);
  const names = shown.map(({ name }) => name);
  const switchedOn = new Set(on);
  const isFull = on.length >= SPEC_OPERATIONS_MAX;
  const isAnyOn = names.some((name) => switchedOn.has(name));
  const isAnyOff = names.some((name) => !switchedOn.has(name));
  const canSwitchOn = isAnyOff && !isFull;
  return (
    <section className={builder.field} aria-labelledby={titleId}>
      <div className={builder.head}>
        <h2 id={titleId} className={builder.label}>
          {t('com_actions_operations')}
        </h2>
        <span className={builder.count} role="status">
          {t('com_actions_operations_count', { 0: on.length, 1: operations.length, 2: SPEC_OPERATIONS_MAX })}
        </span>
      </div>
      <div className={classes.bar}>
        <SearchField
          className={classes.search}
          placeholder={t('com_actions_operations_search')}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          onKeyDown={stopSubmit}
        />
        <Button
          size="sm"
          className={classes.all}
          aria-disabled={!canSwitchOn}
          onClick={() => canSwitchOn && onSwitch(names, true)}
        >
          {t('com_actions_operations_all')}
        </Button>
        <Button
          size="sm"
          className={classes.all}
          aria-disabled={!isAnyOn}
          onClick={() => isAnyOn && onSwitch(names, false)}
        >
          {t('com_actions_operations_none')}
        </Button>
      </div>
      {on.length === 0 && <p className={builder.error}>{t('com_actions_operations_missing')}</p>}
      {isFull && operations.length > on.length && (
        <p className={builder.help}>{t('com_actions_operations_full', { 0: SPEC_OPERATIONS_MAX })}</p>
      )}
      {shown.length === 0 ? (
        <p className={builder.help}>{t('com_actions_operations_unmatched')}</p>
      ) : (
        <Rows key={query} operations={shown} switchedOn={switchedOn} isFull={isFull} onSwitch={onSwitch} />
      )}
    </section>
  );
}

interface RowsProps extends Pick<OperationListProps, 'operations' | 'onSwitch'> {
  switchedOn: ReadonlySet<string>;
  isFull: boolean;
}

/** One stop of the Tab key; the arrow keys go from row to row. */
function Rows({ operations, switchedOn, isFull, onSwitch }: RowsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const last = operations.length - 1;
  const stop = Math.min(current, last);

  function move(event: KeyboardEvent): void {
    const targets: Partial<Record<string, number>> = { ArrowDown: stop + 1, ArrowUp: stop - 1, Home: 0, End: last };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll('input')[Math.min(Math.max(target, 0), last)]?.focus();
  }

  return (
    // The keys are those of the boxes in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul ref={list} className={classes.list} aria-label={t('com_actions_operations')} onKeyDown={move}>
      {operations.map((operation, index) => (
        <Row
          key={operation.name}
          operation={operation}
          index={index}
          isStop={index === stop}
          isOn={switchedOn.has(operation.name)}
          isFull={isFull && !switchedOn.has(operation.name)}
          onFocus={setCurrent}
          onSwitch={onSwitch}
        />
      ))}
    </ul>
  );
}

interface RowProps extends Pick<RowsProps, 'isFull' | 'onSwitch'> {
  operation: ListedOperation;
  index: number;
  /** Whether the Tab key leads here. */
  isStop: boolean;
  isOn: boolean;
  onFocus: (index: number) => void;
}

/** A box that cannot be checked any more can still be reached, and read. */
const Row = memo(function Row({ operation, index, isStop, isOn, isFull, onFocus, onSwitch }: RowProps) {
  const id = useId();
  const { name, method, path, summary } = operation;
  return (
    <li className={classes.item}>
      <label className={classes.row} data-disabled={isFull || undefined}>
        <input
          type="checkbox"
          checked={isOn}
          aria-disabled={isFull || undefined}
          aria-labelledby={`${id}-name`}
          aria-describedby={summary ? id : undefined}
          tabIndex={isStop ? 0 : -1}
          onFocus={() => onFocus(index)}
          onKeyDown={stopSubmit}
          onChange={() => !isFull && onSwitch([name], !isOn)}
        />
        <span id={`${id}-name`} className={classes.names}>
          <span className={classes.method}>{method}</span>{' '}
          <span className={classes.path} dir="ltr">
            <Path text={path} />
          </span>{' '}
          <span className={classes.name} dir="ltr" title={name}>
            {name}
          </span>
        </span>
        {summary && (
          <span id={id} className={classes.summary} dir="auto">
            {summary}
          </span>
        )}
      </label>
    </li>
  );
});

/** Breaks a line before a slash rather than within a word. */
function Path({ text }: { text: string }) {
  return (
    <InOrder items={text.split(/(?=\/)/)}>
      {(part) => (
        <>
          <wbr />
          {part}
        </>
      )}
    </InOrder>
  );
}

/** Each word stands in the method, path, name or summary. */
function matching(operations: readonly ListedOperation[], query: string): readonly ListedOperation[] {
  return operations.filter(({ name, method, path, summary }) =>
    hasWords(`${method} ${path} ${name} ${summary}`, query),
  );
}

/** Enter would save the action. */
function stopSubmit(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}
