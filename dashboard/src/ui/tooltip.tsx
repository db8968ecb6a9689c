import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { Keys } from '#ui/keys.tsx';

interface Hint {
  text: string;
  keys?: string | undefined;
}

/** One for the whole page, which moves: a list has hundreds of things that it may be about. */
const shared = BaseTooltip.createHandle<Hint>();

/** A word or two about the element inside, on hover and focus. What is needed to act never stands in one. */
export function Tooltip({ text, keys, children }: Hint & { children: ReactElement }) {
  return <BaseTooltip.Trigger handle={shared} payload={{ text, keys }} render={children} />;
}

/** Around everything that has tooltips. */
export function Tooltips({ children }: { children: ReactNode }) {
  return (
    <BaseTooltip.Provider delay={400}>
      {children}
      <BaseTooltip.Root handle={shared}>
        {({ payload }) => (
          <BaseTooltip.Portal>
            <BaseTooltip.Positioner sideOffset={6} className="z-50">
              <BaseTooltip.Popup className="popup flex max-w-72 items-center gap-2 rounded-md! px-2 py-1 text-xs">
                {payload?.text}
                {payload?.keys && <Keys text={payload.keys} />}
              </BaseTooltip.Popup>
            </BaseTooltip.Positioner>
          </BaseTooltip.Portal>
        )}
      </BaseTooltip.Root>
    </BaseTooltip.Provider>
  );
}
