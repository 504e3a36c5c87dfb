import { createContext, use, useId } from 'react';
import { cn, Icon, PATHS, styled, useValue, type Props } from './base.tsx';

const FIELD =
  'w-full min-w-0 rounded-md border border-input bg-transparent px-3 text-sm shadow-xs outline-none placeholder:text-muted-foreground focus-visible:border-ring focus-visible:ring-2 focus-visible:ring-ring/50 disabled:cursor-not-allowed disabled:opacity-50';
const PRESSED =
  'outline-none focus-visible:ring-2 focus-visible:ring-ring/50 disabled:cursor-not-allowed disabled:opacity-50';

export function Input({ className, ...props }: Props<'input'>) {
  return (
    <input
      {...props}
      className={cn('flex h-9 py-1 file:border-0 file:bg-transparent file:text-sm', FIELD, className)}
    />
  );
}

export function Textarea({ className, ...props }: Props<'textarea'>) {
  return <textarea {...props} className={cn('flex min-h-16 py-2', FIELD, className)} />;
}

export const Label = styled('label', 'flex select-none items-center gap-2 text-sm font-medium leading-none');

interface CheckProps extends Omit<Props<'button'>, 'value'> {
  checked?: boolean | 'indeterminate';
  defaultChecked?: boolean;
  onCheckedChange?: (checked: boolean) => void;
  required?: boolean;
  value?: string;
}

export function Checkbox(all: CheckProps) {
  const { className, checked, defaultChecked, onCheckedChange, required, name, value = 'on', ...props } = all;
  const [isOn, setOn] = useValue<boolean | 'indeterminate'>(
    checked,
    defaultChecked ?? false,
    onCheckedChange as ((checked: boolean | 'indeterminate') => void) | undefined,
  );
  return (
    <>
      <button
        type="button"
        role="checkbox"
        {...props}
        aria-required={required}
        aria-checked={isOn === 'indeterminate' ? 'mixed' : isOn}
        data-state={isOn === true ? 'checked' : isOn === false ? 'unchecked' : isOn}
        className={cn(
          'flex size-4 shrink-0 cursor-pointer items-center justify-center rounded-sm border border-input shadow-xs data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=checked]:text-primary-foreground',
          PRESSED,
          className,
        )}
        onClick={(event) => {
          props.onClick?.(event);
          setOn(isOn !== true);
        }}
      >
        {isOn === true && <Icon path={PATHS.check} className="size-3.5" />}
      </button>
      {name && isOn === true && <input type="hidden" name={name} value={value} />}
    </>
  );
}

export function Switch(all: CheckProps & { checked?: boolean }) {
  const { className, checked, defaultChecked, onCheckedChange, required, name, value = 'on', ...props } = all;
  const [isOn, setOn] = useValue(checked, defaultChecked ?? false, onCheckedChange);
  const state = isOn ? 'checked' : 'unchecked';
  return (
    <>
      <button
        type="button"
        role="switch"
        {...props}
        aria-required={required}
        aria-checked={isOn}
        data-state={state}
        className={cn(
          'inline-flex h-5 w-8 shrink-0 cursor-pointer items-center rounded-full border border-transparent bg-input shadow-xs transition-colors data-[state=checked]:bg-primary',
          PRESSED,
          className,
        )}
        onClick={(event) => {
          props.onClick?.(event);
          setOn(!isOn);
        }}
      >
        <span
          data-state={state}
          className="pointer-events-none block size-4 rounded-full bg-background transition-transform data-[state=checked]:translate-x-3.5"
        />
      </button>
      {name && isOn && <input type="hidden" name={name} value={value} />}
    </>
  );
}

interface RadioState {
  name: string;
  value: string;
  choose: (value: string) => void;
}

const Radio = createContext<RadioState>({ name: '', value: '', choose: () => {} });

interface RadioGroupProps extends Omit<Props<'div'>, 'defaultValue'> {
  value?: string;
  defaultValue?: string;
  name?: string;
  onValueChange?: (value: string) => void;
}

export function RadioGroup({ className, value, defaultValue, name, onValueChange, ...props }: RadioGroupProps) {
  const id = useId();
  const [now, choose] = useValue(value, defaultValue ?? '', onValueChange);
  return (
    <Radio value={{ name: name ?? id, value: now, choose }}>
      <div role="radiogroup" {...props} className={cn('grid gap-3', className)} />
    </Radio>
  );
}

export function RadioGroupItem({ className, value, ...props }: Props<'input'> & { value: string }) {
  const { name, value: now, choose } = use(Radio);
  return (
    <input
      {...props}
      type="radio"
      name={name}
      value={value}
      checked={now === value}
      onChange={() => choose(value)}
      className={cn('size-4 shrink-0 cursor-pointer accent-primary', className)}
    />
  );
}

interface SliderProps extends Omit<Props<'div'>, 'defaultValue'> {
  value?: number[];
  defaultValue?: number[];
  min?: number;
  max?: number;
  step?: number;
  disabled?: boolean;
  name?: string;
  onValueChange?: (value: number[]) => void;
  onValueCommit?: (value: number[]) => void;
}

export function Slider(all: SliderProps) {
  const { className, value, defaultValue, min = 0, max = 100, step = 1, disabled, name, id, ...rest } = all;
  const { onValueChange, onValueCommit, 'aria-label': label, 'aria-labelledby': labelledBy, ...props } = rest;
  const [now, setNow] = useValue(value, defaultValue ?? [min], onValueChange);
  const names = { 'aria-label': label, 'aria-labelledby': labelledBy, name, min, max, step, disabled };
  return (
    <div {...props} className={cn('flex w-full flex-col gap-1', className)}>
      {now.map((one, at) => (
        <input
          // A handle is nothing but its place.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          {...names}
          id={at === 0 ? id : undefined}
          type="range"
          value={one}
          className="h-4 w-full cursor-pointer accent-primary disabled:opacity-50"
          onChange={(event) => setNow(now.map((other, n) => (n === at ? Number(event.target.value) : other)))}
          onPointerUp={() => onValueCommit?.(now)}
        />
      ))}
    </div>
  );
}
