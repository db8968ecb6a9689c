import { Code2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { Button } from '#ui/button.tsx';

const CodeDialog = lazy(() => import('#ui/code-dialog.tsx'));

/** Beside the action of a dialog: the API call that it is. Screens have it in the menu of their header. */
export function ViewAsCode({ call }: { call: ApiCall }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" size="sm" className="-ml-2" onClick={() => setOpen(true)}>
        <Code2 aria-hidden />
        View as code
      </Button>
      <CodeOf call={isOpen ? call : undefined} onClose={() => setOpen(false)} />
    </>
  );
}

/** The dialog alone, for those who open it from a menu. */
export function CodeOf({ call, onClose }: { call: ApiCall | undefined; onClose: () => void }) {
  return <Suspense>{call && <CodeDialog call={call} onClose={onClose} />}</Suspense>;
}
