// A field to choose one of a list.
import { Children, createContext, isValidElement, use, type ReactNode } from 'react';
import { cn, Icon, PATHS, useValue, type Props } from './base.tsx';
import {
  ITEM,
  List,
  Popup,
  PopupRoot,
  PopupTrigger,
  type ContentProps,
  type RootProps,
  type TriggerProps,
} from './popups.tsx';

interface ChoiceState {
  value: string;
  choose: (value: string) => void;
  labels: ReadonlyMap<string, ReactNode>;
}

const Choice = createContext<ChoiceState>({ value: '', choose: () => {}, labels: new Map() });

interface SelectProps extends RootProps {
  value?: string;
  defaultValue?: string;
  name?: string;
  disabled?: boolean;
  onValueChange?: (value: string) => void;
}

export function Select({ value, defaultValue, name, onValueChange, children, disabled, ...props }: SelectProps) {
  const [now, choose] = useValue(value, defaultValue ?? '', onValueChange);
  const labels = new Map<string, ReactNode>();
  gatherLabels(children, labels);
  return (
    <Choice value={{ value: now, choose, labels }}>
      <PopupRoot {...props}>
        <fieldset className="contents" disabled={disabled}>
          {children}
        </fieldset>
      </PopupRoot>
      {name && <input type="hidden" name={name} value={now} />}
    </Choice>
  );
}

/** What the items say: the trigger shows it while they are not there. */
function gatherLabels(children: ReactNode, labels: Map<string, ReactNode>): void {
  for (const child of Children.toArray(children)) {
    if (!isValidElement<{ value?: string; children?: ReactNode }>(child)) continue;
    if (child.type === SelectItem) labels.set(child.props.value ?? '', child.props.children);
    else gatherLabels(child.props.children, labels);
  }
}

export function SelectTrigger({ className, children, ...props }: TriggerProps & { size?: string }) {
  const { size, ...rest } = props;
  return (
    <PopupTrigger
      opens="listbox"
      {...rest}
      className={cn(
        'flex w-full cursor-pointer items-center justify-between gap-2 whitespace-nowrap rounded-md border border-input bg-transparent px-3 py-2 text-sm shadow-xs outline-none focus-visible:ring-2 focus-visible:ring-ring/50 disabled:cursor-not-allowed disabled:opacity-50',
        size === 'sm' ? 'h-8' : 'h-9',
        className,
      )}
    >
      {children}
      <Icon path={PATHS.down} className="opacity-50" />
    </PopupTrigger>
  );
}

export function SelectValue({
  placeholder,
  children,
  className,
}: {
  placeholder?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  const { value, labels } = use(Choice);
  const label = children ?? (value === '' ? undefined : (labels.get(value) ?? value));
  return (
    <span className={cn('truncate', label === undefined && 'text-muted-foreground', className)}>
      {label ?? placeholder}
    </span>
  );
}

export function SelectContent(props: ContentProps) {
  return <List {...props} role="listbox" />;
}

export function SelectItem({ className, value, children, ...props }: Props<'button'> & { value: string }) {
  const { value: now, choose } = use(Choice);
  const { setOpen, anchor } = use(Popup);
  return (
    <button
      type="button"
      role="option"
      {...props}
      aria-selected={now === value}
      className={cn(ITEM, 'pr-8', className)}
      onClick={() => {
        choose(value);
        setOpen(false);
        anchor.current?.focus();
      }}
    >
      {children}
      {now === value && <Icon path={PATHS.check} className="absolute right-2" />}
    </button>
  );
}
