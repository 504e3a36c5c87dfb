import { createContext, use, useId, type KeyboardEvent, type ReactNode } from 'react';
import { cn, Icon, PATHS, Slot, useValue, type Props } from './base.tsx';

interface TabState {
  id: string;
  value: string;
  choose: (value: string) => void;
}

const Tab = createContext<TabState>({ id: '', value: '', choose: () => {} });

interface TabsProps extends Omit<Props<'div'>, 'defaultValue'> {
  value?: string;
  defaultValue?: string;
  onValueChange?: (value: string) => void;
}

export function Tabs({ className, value, defaultValue, onValueChange, ...props }: TabsProps) {
  const id = useId();
  const [now, choose] = useValue(value, defaultValue ?? '', onValueChange);
  return (
    <Tab value={{ id, value: now, choose }}>
      <div {...props} className={cn('flex flex-col gap-2', className)} />
    </Tab>
  );
}

export function TabsList({ className, ...props }: Props<'div'>) {
  const classes = 'inline-flex h-9 w-fit items-center justify-center rounded-lg bg-muted p-1 text-muted-foreground';
  return (
    <div
      role="tablist"
      // Its tabs take the focus.
      tabIndex={-1}
      {...props}
      className={cn(classes, className)}
      onKeyDown={(event) => moveFocus(event, '[role=tab]:not([disabled])', ['ArrowLeft', 'ArrowRight'])?.click()}
    />
  );
}

export function TabsTrigger({ className, value, ...props }: Props<'button'> & { value: string }) {
  const { id, value: now, choose } = use(Tab);
  const isChosen = value === now;
  return (
    <button
      type="button"
      role="tab"
      {...props}
      id={`${id}tab-${value}`}
      aria-selected={isChosen}
      aria-controls={`${id}panel-${value}`}
      tabIndex={isChosen ? 0 : -1}
      data-state={isChosen ? 'active' : 'inactive'}
      className={cn(
        'inline-flex flex-1 cursor-pointer items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-3 py-1 text-sm font-medium transition-all disabled:pointer-events-none disabled:opacity-50 data-[state=active]:bg-background data-[state=active]:text-foreground data-[state=active]:shadow-sm [&_svg]:size-4',
        className,
      )}
      onClick={(event) => {
        props.onClick?.(event);
        choose(value);
      }}
    />
  );
}

export function TabsContent({ className, value, ...props }: Props<'div'> & { value: string; forceMount?: boolean }) {
  const { id, value: now } = use(Tab);
  if (value !== now) return null;
  return (
    <div
      role="tabpanel"
      {...props}
      id={`${id}panel-${value}`}
      aria-labelledby={`${id}tab-${value}`}
      data-state="active"
      className={cn('flex-1 outline-none', className)}
    />
  );
}

/** Moves the focus between the elements that match, in a circle; returns the one that has it now. */
export function moveFocus(
  event: KeyboardEvent<HTMLElement>,
  which: string,
  [back, forth]: readonly [string, string],
): HTMLElement | null {
  if (event.key !== back && event.key !== forth) return null;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(which)];
  const at = all.findIndex((one) => one === document.activeElement);
  const next = all.at((at + (event.key === forth ? 1 : -1)) % all.length);
  if (!next) return null;
  event.preventDefault();
  next.focus();
  return next;
}

const Open = createContext<{ isOpen: boolean; toggle: () => void; id: string }>({
  isOpen: false,
  toggle: () => {},
  id: '',
});

interface CollapsibleProps extends Props<'div'> {
  open?: boolean;
  defaultOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
}

export function Collapsible({ open, defaultOpen, onOpenChange, ...props }: CollapsibleProps) {
  const id = useId();
  const [isOpen, setOpen] = useValue(open, defaultOpen ?? false, onOpenChange);
  return (
    <Open value={{ isOpen, id, toggle: () => setOpen(!isOpen) }}>
      <div {...props} data-state={isOpen ? 'open' : 'closed'} />
    </Open>
  );
}

export function CollapsibleTrigger({ asChild, ...props }: Props<'button'> & { asChild?: boolean }) {
  const { isOpen, toggle, id } = use(Open);
  const all = { ...props, 'aria-expanded': isOpen, 'aria-controls': id, 'data-state': isOpen ? 'open' : 'closed' };
  return asChild ? <Slot {...all} onClick={toggle} /> : <button type="button" {...all} onClick={toggle} />;
}

export function CollapsibleContent(props: Props<'div'>) {
  const { isOpen, id } = use(Open);
  return isOpen ? <div {...props} id={id} /> : null;
}

const Opened = createContext<{ open: readonly string[]; toggle: (value: string) => void }>({
  open: [],
  toggle: () => {},
});

interface AccordionProps extends Omit<Props<'div'>, 'defaultValue'> {
  type?: 'single' | 'multiple';
  collapsible?: boolean;
  value?: string | string[];
  defaultValue?: string | string[];
  onValueChange?: (value: never) => void;
}

export function Accordion(all: AccordionProps) {
  const { type = 'single', collapsible = false, value, defaultValue, onValueChange, ...props } = all;
  const tell = onValueChange as ((value: string | string[]) => void) | undefined;
  const [now, setNow] = useValue<string | string[]>(value, defaultValue ?? (type === 'single' ? '' : []), tell);
  const open = [now].flat();
  const toggle = (one: string) => {
    if (type === 'multiple') setNow(open.includes(one) ? open.filter((other) => other !== one) : [...open, one]);
    else if (!open.includes(one)) setNow(one);
    else if (collapsible) setNow('');
  };
  return (
    <Opened value={{ open, toggle }}>
      <div {...props} />
    </Opened>
  );
}

export function AccordionItem({ className, value, ...props }: Props<'div'> & { value: string }) {
  const { open, toggle } = use(Opened);
  const id = useId();
  return (
    <Open value={{ isOpen: open.includes(value), id, toggle: () => toggle(value) }}>
      <div {...props} className={cn('border-b last:border-b-0', className)} />
    </Open>
  );
}

export function AccordionTrigger({ className, children, ...props }: Props<'button'>): ReactNode {
  const { isOpen } = use(Open);
  return (
    <h3 className="flex">
      <CollapsibleTrigger
        {...props}
        className={cn(
          'flex flex-1 cursor-pointer items-start justify-between gap-4 rounded-md py-4 text-left text-sm font-medium outline-none hover:underline',
          className,
        )}
      >
        {children}
        <Icon path={PATHS.down} className={cn('translate-y-0.5 transition-transform', isOpen && 'rotate-180')} />
      </CollapsibleTrigger>
    </h3>
  );
}

export function AccordionContent({ className, ...props }: Props<'div'>) {
  return <CollapsibleContent {...props} className={cn('pb-4 pt-0 text-sm', className)} />;
}
