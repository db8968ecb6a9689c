import type { ApiCall } from '#api/snippets.ts';
import { CallTabs } from '#ui/code-tabs.tsx';
import { Dialog } from '#ui/dialog.tsx';

/** The call behind a screen or an action, in code. Loaded when it is asked for. */
export default function CodeDialog({ call, onClose }: { call: ApiCall; onClose: () => void }) {
  const [path] = call.path.split('?');
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="View as code"
      description={
        <span className="font-mono text-xs wrap-anywhere">
          {call.method} {path}
        </span>
      }
    >
      <CallTabs call={call} />
      <p className="mt-3 text-faint">
        <code className="font-mono text-xs">MAINSTAY_TOKEN</code> is an access token.{' '}
        <a className="text-accent-text underline" href="/docs">
          API reference
        </a>
      </p>
    </Dialog>
  );
}
