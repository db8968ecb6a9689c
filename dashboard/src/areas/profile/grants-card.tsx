import type { Grant } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { idp } from '#api/idp.ts';
import { MadeKeys } from '#areas/keys/made-keys.tsx';
import { grantsQuery } from '#areas/profile/data.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { toast } from '#ui/toast.ts';

/** Programs that may act for the person. */
export function GrantsCard() {
  const query = useQuery(grantsQuery);
  const { data } = query;
  return (
    <Card
      title="OAuth apps with access"
      description="Apps that can act on your behalf, such as the command line and sites that you signed in to with this account."
    >
      <Pending query={query} className="h-16" />
      {data?.items.length === 0 && (
        <p className="text-muted">
          None. When an app requests access, you are asked to approve it here first.
        </p>
      )}
      {data && data.items.length > 0 && (
        <ul className="divide-y rounded-md border" aria-label="OAuth apps with access">
          {data.items.map((grant) => (
            <Line key={grant.id} grant={grant} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Line({ grant }: { grant: Grant }) {
  const [isOpen, setOpen] = useState(false);
  const [keep, setKeep] = useState(false);
  const client = useQueryClient();
  const { name, firstParty } = grant.client;
  return (
    <li className="px-3 py-2">
      <div className="flex items-center gap-3">
        <span className="min-w-0 flex-1 leading-4">
          <span className="flex items-center gap-1.5">
            <span className="truncate font-medium">{name}</span>
            {firstParty && <Badge>Part of Mainstay</Badge>}
          </span>
          <span className="text-xs text-faint">
            Granted <RelativeTime time={grant.createdAt} />, used <RelativeTime time={grant.lastUsedAt} />
          </span>
        </span>
        <Button size="sm" onClick={() => setOpen(true)}>
          Revoke
        </Button>
      </div>
      <details className="mt-1.5 text-muted">
        <summary className="w-fit rounded-sm">Permissions</summary>
        <ul className="mt-1 list-disc pl-5">
          {grant.scopes.map(({ scope, text }) => (
            <li key={scope}>{text}</li>
          ))}
        </ul>
      </details>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Revoke the access of ${name}?`}
        action="Revoke access"
        onConfirm={async () => {
          const query = { keepApiKeys: String(keep) };
          await idp('delete', '/idp/grants/{grantId}', { path: { grantId: grant.id }, query });
          await client.invalidateQueries(grantsQuery);
          toast.done(`${name} no longer has access to your account`);
        }}
      >
        Its tokens stop working within a second. It has to request access again.
        {isOpen && (
          <MadeKeys
            of={grant.id}
            load={(signal) =>
              idp('get', '/idp/grants/{grantId}/api-keys', { path: { grantId: grant.id }, signal })
            }
            keep={keep}
            onKeepChange={setKeep}
          />
        )}
      </ConfirmDialog>
    </li>
  );
}
