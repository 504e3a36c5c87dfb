import { cva, type VariantProps } from 'class-variance-authority';
import { createContext, use } from 'react';
import { cn, Slot, useValue, type Props } from './base.tsx';

const FOCUS = 'outline-none focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-offset-1';

export const buttonVariants = cva(
  `inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-md text-sm font-medium transition-colors cursor-pointer disabled:pointer-events-none disabled:opacity-50 [&_svg]:shrink-0 [&_svg:not([class*='size-']):not([class*='h-'])]:size-4 ${FOCUS}`,
  {
    variants: {
      variant: {
        default: 'bg-primary text-primary-foreground shadow-xs hover:bg-primary/90',
        destructive: 'bg-destructive text-destructive-foreground shadow-xs hover:bg-destructive/90',
        outline: 'border border-input bg-background shadow-xs hover:bg-accent hover:text-accent-foreground',
        secondary: 'bg-secondary text-secondary-foreground shadow-xs hover:bg-secondary/80',
        ghost: 'hover:bg-accent hover:text-accent-foreground',
        link: 'text-primary underline-offset-4 hover:underline',
      },
      size: {
        default: 'h-9 px-4 py-2',
        sm: 'h-8 rounded-md px-3 text-xs',
        lg: 'h-10 rounded-md px-8',
        icon: 'size-9',
      },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
);

type ButtonProps = Props<'button'> & VariantProps<typeof buttonVariants> & { asChild?: boolean };

export function Button({ className, variant, size, asChild, ...props }: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  return asChild ? <Slot {...props} className={classes} /> : <button {...props} className={classes} />;
}

export const badgeVariants = cva(
  'inline-flex w-fit items-center justify-center gap-1 whitespace-nowrap rounded-md border px-2 py-0.5 text-xs font-medium [&>svg]:size-3',
  {
    variants: {
      variant: {
        default: 'border-transparent bg-primary text-primary-foreground',
        secondary: 'border-transparent bg-secondary text-secondary-foreground',
        destructive: 'border-transparent bg-destructive text-destructive-foreground',
        outline: 'text-foreground',
      },
    },
    defaultVariants: { variant: 'default' },
  },
);

type BadgeProps = Props<'span'> & VariantProps<typeof badgeVariants> & { asChild?: boolean };

export function Badge({ className, variant, asChild, ...props }: BadgeProps) {
  const classes = cn(badgeVariants({ variant }), className);
  return asChild ? <Slot {...props} className={classes} /> : <span {...props} className={classes} />;
}

export const toggleVariants = cva(
  `inline-flex items-center justify-center gap-2 rounded-md text-sm font-medium transition-colors cursor-pointer hover:bg-muted disabled:pointer-events-none disabled:opacity-50 data-[state=on]:bg-accent data-[state=on]:text-accent-foreground [&_svg]:size-4 ${FOCUS}`,
  {
    variants: {
      variant: { default: 'bg-transparent', outline: 'border border-input bg-transparent shadow-xs' },
      size: { default: 'h-9 min-w-9 px-2', sm: 'h-8 min-w-8 px-1.5', lg: 'h-10 min-w-10 px-2.5' },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
);

type Look = VariantProps<typeof toggleVariants>;

interface ToggleProps extends Props<'button'>, Look {
  pressed?: boolean;
  defaultPressed?: boolean;
  onPressedChange?: (pressed: boolean) => void;
}

export function Toggle({ className, variant, size, pressed, defaultPressed, onPressedChange, ...props }: ToggleProps) {
  const [isOn, setOn] = useValue(pressed, defaultPressed ?? false, onPressedChange);
  return (
    <button
      type="button"
      {...props}
      aria-pressed={isOn}
      data-state={isOn ? 'on' : 'off'}
      className={cn(toggleVariants({ variant, size }), className)}
      onClick={(event) => {
        props.onClick?.(event);
        setOn(!isOn);
      }}
    />
  );
}

const Group = createContext<Look & { chosen: readonly string[]; press: (value: string) => void }>({
  chosen: [],
  press: () => {},
});

interface ToggleGroupProps extends Omit<Props<'div'>, 'defaultValue'>, Look {
  type?: 'single' | 'multiple';
  value?: string | string[];
  defaultValue?: string | string[];
  onValueChange?: (value: never) => void;
}

export function ToggleGroup({
  className,
  variant,
  size,
  type = 'single',
  value,
  defaultValue,
  onValueChange,
  ...props
}: ToggleGroupProps) {
  const tell = onValueChange as ((value: string | string[]) => void) | undefined;
  const [now, setNow] = useValue<string | string[]>(value, defaultValue ?? (type === 'single' ? '' : []), tell);
  const chosen = [now].flat();
  const press = (one: string) => {
    if (type === 'single') return setNow(chosen.includes(one) ? '' : one);
    setNow(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  };
  return (
    <Group value={{ variant, size, chosen, press }}>
      <div role="group" {...props} className={cn('flex w-fit items-center gap-1', className)} />
    </Group>
  );
}

export function ToggleGroupItem({ value, variant, size, ...props }: ToggleProps & { value: string }) {
  const group = use(Group);
  return (
    <Toggle
      {...props}
      variant={variant ?? group.variant}
      size={size ?? group.size}
      pressed={group.chosen.includes(value)}
      onPressedChange={() => group.press(value)}
    />
  );
}
