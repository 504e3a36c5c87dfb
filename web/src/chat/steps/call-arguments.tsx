import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../content/code/code-block.tsx';
import { formatJson, readTable } from './read-arguments.ts';
import { TextButton } from '../../ui/text-button/text-button.tsx';
import classes from './step.module.css';

interface CallArgumentsProps {
  input: string;
  /** The model is still writing them. */
  isOpen: boolean;
  /** Nothing of them may be out of view. */
  isWhole?: boolean;
}

/** The arguments of a call as a table, or as they are written. */
export function CallArguments({ input, isOpen, isWhole = false }: CallArgumentsProps) {
  const { t } = useTranslation();
  const [isRaw, setRaw] = useState(false);
  const table = readTable(input);
  if (input.trim() === '' || table?.length === 0) return null;
  return (
    <section>
      <div className={classes.head}>
        <div className={classes.label}>{t('com_chat_tool_input')}</div>
        {table && (
          <TextButton onClick={() => setRaw(!isRaw)}>
            {isRaw ? t('com_tools_as_table') : t('com_tools_as_json')}
          </TextButton>
        )}
      </div>
      {table && !isRaw ? (
        <dl className={classes.table} data-whole={isWhole || undefined}>
          {table.map(([name, value]) => (
            <div key={name}>
              <dt dir="auto">{name}</dt>
              <dd dir="auto" data-lines={value.includes('\n') || undefined}>
                {value}
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <CodeBlock code={formatJson(input)} language="json" open={isOpen} cursor={false} />
      )}
    </section>
  );
}
