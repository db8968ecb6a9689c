import { CopyTextButton } from '#ui/copy-button.tsx';
import { Notice } from '#ui/error-notice.tsx';

/** A secret in the only moment in which it can be seen. */
export function SecretOnce({ label, secret }: { label: string; secret: string }) {
  return (
    <div className="space-y-3">
      <Notice tone="warning">Copy it now: it is kept only as a hash, and nobody can show it again.</Notice>
      <div className="flex flex-wrap items-center gap-2 rounded-md border bg-sunken p-2 pl-3">
        <output
          aria-label={label}
          className="min-w-0 flex-1 basis-52 font-mono text-xs select-all wrap-anywhere"
        >
          {secret}
        </output>
        <CopyTextButton look="primary" label="Copy" text={secret} />
      </div>
    </div>
  );
}
