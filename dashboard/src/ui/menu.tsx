import type { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useState,
} from 'react';
import { classes } from '#ui/classes.ts';
import { Keys } from '#ui/keys.tsx';

/**
 * What draws open menus is loaded when the pointer or the focus first comes near one: every screen has menus, and few are
 * opened. Until then a menu is its trigger alone, so that a table may have one in each of its rows.
 */
let parts: typeof BaseMenu | undefined;

async function load(): Promise<void> {
  parts ??= (await import('@base-ui/react/menu')).Menu;
}

/** Of an open menu: whatever stands in one is drawn after it was loaded. */
function loaded(): typeof BaseMenu {
  if (!parts) throw new Error('MenuItem must be inside a Menu.');
  return parts;
}

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
  className?: string;
}

interface TriggerProps {
  onClick?: (event: MouseEvent) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
}

export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const open = () => void load().then(() => setWanted(true));
  if (isWanted) return <OpenMenu {...props} />;
  return cloneElement(props.trigger as ReactElement<TriggerProps>, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: open,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
  });
}

function OpenMenu({ trigger, children, align = 'end', className }: MenuProps) {
  const { Root, Trigger, Portal, Positioner, Popup } = loaded();
  return (
    <Root modal={false} defaultOpen>
      <Trigger render={trigger} />
      <Portal>
        <Positioner sideOffset={4} align={align} className="z-50">
          <Popup
            className={classes(
              'popup max-h-(--available-height) min-w-48 origin-(--transform-origin) overflow-y-auto p-1',
              className,
            )}
          >
            {children}
          </Popup>
        </Positioner>
      </Portal>
    </Root>
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
  const { Item } = loaded();
  return (
    <Item
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
    </Item>
  );
}

export function MenuSeparator() {
  const { Separator } = loaded();
  return <Separator className="mx-1 my-1 h-px bg-line" />;
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const { Group, GroupLabel } = loaded();
  return (
    <Group>
      <GroupLabel className="px-2 pt-1.5 pb-1 text-xs text-faint">{label}</GroupLabel>
      {children}
    </Group>
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
  const { CheckboxItem, CheckboxItemIndicator } = loaded();
  return (
    <CheckboxItem checked={checked} onCheckedChange={onChange} closeOnClick={false} className="menu-line">
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <CheckboxItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
      </CheckboxItemIndicator>
    </CheckboxItem>
  );
}

/** Lines of which one is chosen. */
export function MenuChoice<Value extends string>({
  value,
  onChange,
  options,
}: {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; text: string }[];
}) {
  const { RadioGroup, RadioItem, RadioItemIndicator } = loaded();
  return (
    <RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <RadioItem key={option.value} value={option.value} className="menu-line">
          <span className="flex-1">{option.text}</span>
          <RadioItemIndicator>
            <Check aria-hidden className="size-4 text-accent" />
          </RadioItemIndicator>
        </RadioItem>
      ))}
    </RadioGroup>
  );
}
