import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '#ui/button.tsx';
import { RequestId } from '#ui/error-notice.tsx';
import { drawToastsBy, type Message } from '#ui/toast.ts';

const manager = Toast.createToastManager<{ requestId: string | undefined }>();

function draw({ title, kind, action, requestId }: Message): void {
  if (kind === 'problem') {
    manager.add({ title, type: kind, timeout: 0, priority: 'high', data: { requestId } });
    return;
  }
  const id: string = manager.add({
    title,
    type: kind,
    timeout: action ? 10_000 : 5_000,
    ...(action
      ? {
          actionProps: {
            children: action.label,
            onClick: () => {
              manager.close(id);
              action.run();
            },
          },
        }
      : {}),
  });
}

/** Draws what `toast` says; loaded with the first of them. */
export default function Toasts() {
  // After the effect of the provider inside, which hears of what is added only from then on.
  useEffect(() => drawToastsBy(draw), []);
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 left-4 z-50 mx-auto w-auto sm:left-auto sm:w-90">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((one) => (
    <Toast.Root
      key={one.id}
      toast={one}
      swipeDirection={['right', 'down']}
      className="absolute right-0 bottom-0 w-full rounded-lg bg-raised shadow-high outline-offset-2 transition-[transform,opacity] duration-300 ease-out select-none [--gap:0.5rem] [transform:translateX(var(--toast-swipe-movement-x))_translateY(calc(var(--toast-swipe-movement-y)+var(--toast-index)*-0.6rem))_scale(calc(1-var(--toast-index)*0.05))] z-[calc(100-var(--toast-index))] data-expanded:[transform:translateX(var(--toast-swipe-movement-x))_translateY(calc(var(--toast-offset-y)*-1-var(--toast-index)*var(--gap)))] data-ending-style:opacity-0 data-limited:opacity-0 data-starting-style:translate-y-4 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-2 p-2 pl-3 data-behind:opacity-0 data-expanded:opacity-100">
        <div className="min-w-0 flex-1 py-1.5">
          <Toast.Title
            className="m-0 text-sm font-medium wrap-anywhere data-[type=problem]:text-danger"
            render={<p />}
          />
          <RequestId id={one.data?.requestId} />
        </div>
        <Toast.Action render={<Button size="sm" className="mt-0.5" />} />
        <Toast.Close
          aria-label="Close"
          render={<Button look="ghost" size="sm" className="mt-0.5 w-7 px-0!" />}
        >
          <X aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
