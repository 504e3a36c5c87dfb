import { cva, type VariantProps } from 'class-variance-authority';
import { createContext, use, useState } from 'react';
import { cn, styled, type Props } from './base.tsx';

export const Card = styled('div', 'flex flex-col gap-6 rounded-xl border bg-card py-6 text-card-foreground shadow-sm');
export const CardHeader = styled('div', 'grid auto-rows-min items-start gap-1.5 px-6');
export const CardTitle = styled('div', 'font-semibold leading-none');
export const CardDescription = styled('div', 'text-sm text-muted-foreground');
export const CardAction = styled('div', 'col-start-2 row-span-2 row-start-1 self-start justify-self-end');
export const CardContent = styled('div', 'px-6');
export const CardFooter = styled('div', 'flex items-center px-6');

const alertVariants = cva(
  'relative grid w-full grid-cols-[0_1fr] items-start gap-y-0.5 rounded-lg border px-4 py-3 text-sm has-[>svg]:grid-cols-[1rem_1fr] has-[>svg]:gap-x-3 [&>svg]:size-4 [&>svg]:translate-y-0.5',
  {
    variants: {
      variant: { default: 'bg-card text-card-foreground', destructive: 'bg-card text-destructive' },
    },
    defaultVariants: { variant: 'default' },
  },
);

export function Alert({ className, variant, ...props }: Props<'div'> & VariantProps<typeof alertVariants>) {
  return <div role="alert" {...props} className={cn(alertVariants({ variant }), className)} />;
}

export const AlertTitle = styled('div', 'col-start-2 min-h-4 font-medium tracking-tight');
export const AlertDescription = styled('div', 'col-start-2 text-sm opacity-80');

interface SeparatorProps extends Props<'div'> {
  orientation?: 'horizontal' | 'vertical';
  decorative?: boolean;
}

export function Separator({ className, orientation = 'horizontal', decorative = true, ...props }: SeparatorProps) {
  const size = orientation === 'horizontal' ? 'h-px w-full' : 'w-px self-stretch';
  return (
    <div role={decorative ? 'none' : 'separator'} {...props} className={cn('shrink-0 bg-border', size, className)} />
  );
}

export const Skeleton = styled('div', 'animate-pulse rounded-md bg-muted');

export function AspectRatio({ ratio = 1, style, ...props }: Props<'div'> & { ratio?: number }) {
  return <div {...props} style={{ aspectRatio: String(ratio), ...style }} />;
}

const Picture = createContext<{ hasFailed: boolean; fail: () => void }>({ hasFailed: false, fail: () => {} });

export function Avatar({ className, ...props }: Props<'span'>) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <Picture value={{ hasFailed, fail: () => setFailed(true) }}>
      <span {...props} className={cn('relative flex size-8 shrink-0 overflow-hidden rounded-full', className)} />
    </Picture>
  );
}

/** Above its letters, which stay where it cannot be loaded. */
export function AvatarImage({ className, src, alt = '', ...props }: Props<'img'>) {
  const { hasFailed, fail } = use(Picture);
  if (hasFailed || !src) return null;
  return (
    <img
      {...props}
      src={src}
      alt={alt}
      onError={fail}
      className={cn('absolute inset-0 z-1 size-full object-cover', className)}
    />
  );
}

export const AvatarFallback = styled(
  'span',
  'flex size-full items-center justify-center rounded-full bg-muted text-sm',
);

export function Progress({
  className,
  value,
  max = 100,
  ...props
}: Props<'div'> & { value?: number | null; max?: number }) {
  const part = Math.min(100, Math.max(0, ((value ?? 0) / max) * 100));
  return (
    <div
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value ?? undefined}
      {...props}
      className={cn('relative h-2 w-full overflow-hidden rounded-full bg-primary/20', className)}
    >
      <div className="h-full bg-primary transition-all" style={{ width: `${part}%` }} />
    </div>
  );
}

export const ScrollArea = styled('div', 'relative overflow-auto');

export function ScrollBar(): null {
  return null;
}
