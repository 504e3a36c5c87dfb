import { isFilled } from '@parley/schema/settings/fit-settings';
import { EXAMPLE_MAX, EXAMPLES_MAX, type Example } from '@parley/schema/catalog/params';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { Button } from '../ui/button.tsx';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import classes from './params.module.css';
import { TextBox } from './text-box.tsx';
import { InOrder } from '../ui/primitives/in-order.tsx';

const EMPTY: Example = { input: { content: '' }, output: { content: '' } };

/** Pairs of example input and output. Empty pairs are dropped. */
export function ExamplesField({ words, value, isOff, onChange }: FieldProps<'examples'>) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const { pairs, setPairs } = usePairs(value, onChange);

  function remove(index: number): void {
    setPairs(pairs.toSpliced(index, 1));
    list.current?.querySelector('textarea')?.focus({ preventScroll: true });
  }

  return (
    <FieldFrame
      words={words}
      isChanged={pairs.length > 1 || pairs.some(isFilled)}
      isOff={isOff}
      onReset={() => setPairs([])}
    >
      {({ help }) => (
        <div ref={list} className={classes.examples}>
          <InOrder items={pairs}>
            {(pair, index) => (
              <div className={classes.example}>
                <div className={classes.pair}>
                  {(['input', 'output'] as const).map((side) => {
                    const key = side === 'input' ? 'com_params_example_input' : 'com_params_example_output';
                    return (
                      <div key={side}>
                        <p className={classes.side} aria-hidden>
                          {t(key, { 0: index + 1 })}
                        </p>
                        <TextBox
                          label={t(key, { 0: index + 1 })}
                          value={pair[side].content}
                          max={EXAMPLE_MAX}
                          describedBy={help}
                          isOff={isOff}
                          onChange={(content) => setPairs(pairs.with(index, { ...pair, [side]: { content } }))}
                        />
                      </div>
                    );
                  })}
                </div>
                <IconButton
                  label={t('com_params_example_remove', { 0: index + 1 })}
                  disabled={isOff}
                  onClick={() => remove(index)}
                >
                  <IconTrash aria-hidden />
                </IconButton>
              </div>
            )}
          </InOrder>
          <Button
            size="sm"
            disabled={isOff}
            aria-disabled={pairs.length >= EXAMPLES_MAX || undefined}
            onClick={() => pairs.length < EXAMPLES_MAX && setPairs([...pairs, EMPTY])}
          >
            <IconPlus aria-hidden />
            {t('com_params_example_add')}
          </Button>
        </div>
      )}
    </FieldFrame>
  );
}

/** The pairs on screen, including empty ones: at least one. Pairs changed from outside replace them. */
function usePairs(value: unknown, onChange: (value: Example[]) => void) {
  const given = examplesOf(value);
  const key = JSON.stringify(given);
  const [shown, setShown] = useState({ pairs: given, key });
  const pairs = shown.key === key ? shown.pairs : given;
  return {
    pairs: pairs.length === 0 ? [EMPTY] : pairs,
    setPairs(next: Example[]): void {
      const filled = next.filter(isFilled);
      setShown({ pairs: next, key: JSON.stringify(filled) });
      onChange(filled);
    },
  };
}

function examplesOf(value: unknown): Example[] {
  return Array.isArray(value) ? value.filter((one): one is Example => typeof one === 'object' && one !== null) : [];
}
