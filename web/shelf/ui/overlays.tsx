// Dialogs and sheets: the browser's own modal dialog keeps the focus and answers Escape.
import { createContext, use, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { buttonVariants } from './buttons.tsx';
import { cn, Icon, PATHS, Slot, styled, useValue, type Props } from './base.tsx';

const Shown = createContext<{ isOpen: boolean; setOpen: (open: boolean) => void }>({
  isOpen: false,
  setOpen: () => {},
});

interface RootProps {
  open?: boolean;
  defaultOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
  children?: ReactNode;
}

export function Dialog({ open, defaultOpen, onOpenChange, children }: RootProps) {
  const [isOpen, setOpen] = useValue(open, defaultOpen ?? false, onOpenChange);
  return <Shown value={{ isOpen, setOpen }}>{children}</Shown>;
}

type PressProps = Props<'button'> & { asChild?: boolean };

function Setter({ asChild, to, ...props }: PressProps & { to: boolean }) {
  const { setOpen } = use(Shown);
  const press = (event: React.MouseEvent<HTMLButtonElement>) => {
    props.onClick?.(event);
    setOpen(to);
  };
  if (asChild) return <Slot {...props} onClick={() => setOpen(to)} />;
  return <button type="button" {...props} onClick={press} />;
}

export function DialogTrigger(props: PressProps) {
  return <Setter aria-haspopup="dialog" {...props} to />;
}

export function DialogClose(props: PressProps) {
  return <Setter {...props} to={false} />;
}

/** Everything stands in the browser's top layer anyway. */
export function DialogPortal({ children }: { children?: ReactNode }) {
  return children;
}

export function DialogOverlay(): null {
  return null;
}

interface ContentProps extends Omit<Props<'dialog'>, 'open'> {
  /** False where only an answer closes it. */
  canLeave?: boolean;
  hasCross?: boolean;
}

function Modal({ className, children, canLeave = true, hasCross = true, ...props }: ContentProps) {
  const { isOpen, setOpen } = use(Shown);
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog, isOpen);
  if (!isOpen) return null;
  return createPortal(
    // Escape is the browser's; a press beside it is a comfort.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      {...props}
      ref={dialog}
      data-state="open"
      className={cn('bg-background text-foreground shadow-lg outline-none backdrop:bg-black/50', className)}
      onCancel={(event) => {
        event.preventDefault();
        if (canLeave) setOpen(false);
      }}
      onClick={(event) => {
        if (canLeave && event.target === dialog.current && isBeside(event, dialog.current)) setOpen(false);
      }}
    >
      {children}
      {hasCross && (
        <DialogClose
          aria-label="Close"
          className="absolute right-4 top-4 cursor-pointer rounded-xs opacity-70 hover:opacity-100"
        >
          <Icon path={PATHS.close} />
        </DialogClose>
      )}
    </dialog>,
    document.body,
  );
}

function useModal(dialog: RefObject<HTMLDialogElement | null>, isOpen: boolean): void {
  useEffect(() => {
    const element = dialog.current;
    if (!isOpen || !element || element.open) return;
    element.showModal();
    return () => element.close();
  }, [dialog, isOpen]);
}

function isBeside({ clientX, clientY }: React.MouseEvent, element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

const CENTERED = 'm-auto grid w-full max-w-[calc(100%-2rem)] gap-4 rounded-lg border p-6 sm:max-w-lg';

export function DialogContent({ className, ...props }: ContentProps & { showCloseButton?: boolean }) {
  const { showCloseButton = true, ...rest } = props;
  return <Modal {...rest} hasCross={showCloseButton} className={cn(CENTERED, className)} />;
}

export const DialogHeader = styled('div', 'flex flex-col gap-2 text-center sm:text-left');
export const DialogFooter = styled('div', 'flex flex-col-reverse gap-2 sm:flex-row sm:justify-end');
export const DialogTitle = styled('div', 'text-lg font-semibold leading-none', { role: 'heading', 'aria-level': 2 });
export const DialogDescription = styled('p', 'text-sm text-muted-foreground');

export function AlertDialogContent({ className, ...props }: ContentProps) {
  return <Modal role="alertdialog" {...props} canLeave={false} hasCross={false} className={cn(CENTERED, className)} />;
}

export function AlertDialogAction({ className, ...props }: PressProps) {
  return <DialogClose {...props} className={cn(buttonVariants(), className)} />;
}

export function AlertDialogCancel({ className, ...props }: PressProps) {
  return <DialogClose {...props} className={cn(buttonVariants({ variant: 'outline' }), className)} />;
}

const SIDES = {
  right: 'ml-auto mr-0 h-dvh max-h-dvh w-3/4 border-l sm:max-w-sm',
  left: 'ml-0 mr-auto h-dvh max-h-dvh w-3/4 border-r sm:max-w-sm',
  top: 'mb-auto mt-0 w-full max-w-full border-b',
  bottom: 'mb-0 mt-auto w-full max-w-full border-t',
} as const;

export function SheetContent({ className, side = 'right', ...props }: ContentProps & { side?: keyof typeof SIDES }) {
  return <Modal {...props} className={cn('flex flex-col gap-4 p-6', SIDES[side], className)} />;
}

export function DrawerContent({ className, ...props }: ContentProps) {
  return (
    <Modal
      {...props}
      hasCross={false}
      className={cn('flex flex-col gap-4 rounded-t-lg p-6', SIDES.bottom, className)}
    />
  );
}
