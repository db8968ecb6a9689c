import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classes } from '#ui/classes.ts';
import { Keys } from '#ui/keys.tsx';

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
  className?: string;
}

export function Menu({ trigger, children, align = 'end', className }: MenuProps) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align={align} className="z-50">
          <BaseMenu.Popup
            className={classes(
              'popup max-h-(--available-height) min-w-48 origin-(--transform-origin) overflow-y-auto p-1',
              className,
            )}
          >
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  onSelect?: () => void;
  /** Instead of a plain line: a Link. */
  render?: ReactElement;
  children: ReactNode;
}

export function MenuItem({
  icon,
  keys,
  danger,
  disabled = false,
  onSelect,
  render,
  children,
}: MenuItemProps) {
  return (
    <BaseMenu.Item
      disabled={disabled}
      {...(onSelect ? { onClick: onSelect } : {})}
      {...(render ? { render } : {})}
      className={classes(
        'menu-line [&_svg]:size-4 [&_svg]:shrink-0',
        danger ? 'text-danger' : '[&_svg]:text-faint',
      )}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys && <Keys text={keys} />}
    </BaseMenu.Item>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className="mx-1 my-1 h-px bg-line" />;
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="px-2 pt-1.5 pb-1 text-xs text-faint">{label}</BaseMenu.GroupLabel>
      {children}
    </BaseMenu.Group>
  );
}

/** A line that is on or off; the menu stays open. */
export function MenuCheckItem({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <BaseMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      closeOnClick={false}
      className="menu-line"
    >
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <BaseMenu.CheckboxItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
      </BaseMenu.CheckboxItemIndicator>
    </BaseMenu.CheckboxItem>
  );
}
