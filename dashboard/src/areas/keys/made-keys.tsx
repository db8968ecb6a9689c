import type { MadeKey } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

interface MadeKeysProps {
  /** What they were made through: part of the key of the query. */
  of: string;
  load: (signal: AbortSignal) => Promise<{ items: MadeKey[] }>;
  keep: boolean;
  onKeepChange: (keep: boolean) => void;
}

/** The API keys and S3 credentials that end with a program's access, a membership or a password, and the choice to keep them. */
export function MadeKeys({ of, load, keep, onKeepChange }: MadeKeysProps) {
  const id = useId();
  const query = useQuery({ queryKey: ['made-keys', of], queryFn: ({ signal }) => load(signal) });
  const keys = query.data?.items ?? [];
  return (
    <>
      <Pending query={query} className="mt-3 h-8" />
      {keys.length > 0 && (
        <div className="mt-3">
          <p>
            {keys.length === 1
              ? 'One key was created this way:'
              : `${keys.length} keys were created this way:`}
          </p>
          <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5">
            {keys.map((key) => (
              <li key={key.id}>
                {key.name}
                <span className="text-xs text-faint">
                  {key.kind === 's3_credential' && ' S3 credential'}{' '}
                  {[key.organization?.name, key.application?.name].filter(Boolean).join(' / ') || 'your own'},{' '}
                  {key.lastUsedAt ? (
                    <>
                      used <RelativeTime time={key.lastUsedAt} />
                    </>
                  ) : (
                    'never used'
                  )}
                </span>
              </li>
            ))}
          </ul>
          <label htmlFor={id} className="mt-2 flex items-center gap-2">
            <input
              id={id}
              type="checkbox"
              checked={!keep}
              onChange={(event) => onKeepChange(!event.target.checked)}
            />
            Revoke these keys too
          </label>
        </div>
      )}
    </>
  );
}
