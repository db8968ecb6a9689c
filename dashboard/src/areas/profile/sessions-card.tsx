import type { BrowserSession } from '@mainstay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Monitor } from 'lucide-react';
import { useAction } from '#api/action.ts';
import { idp } from '#api/idp.ts';
import { sessionsQuery } from '#areas/profile/data.ts';
import { browserName } from '#areas/profile/user-agent.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** Where the person is signed in. */
export function SessionsCard() {
  const { data } = useSuspenseQuery(sessionsQuery);
  const refresh = [sessionsQuery.queryKey];
  const end = useAction({
    run: ({ id }: BrowserSession) => idp('delete', '/idp/sessions/{sessionId}', { path: { sessionId: id } }),
    refresh,
    done: 'Session ended',
  });
  const endOthers = useAction({
    run: () => idp('post', '/idp/sessions/end-others'),
    refresh,
    done: ({ ended }) => (ended === 1 ? '1 session ended' : `${ended} sessions ended`),
  });
  return (
    <Card
      title="Sessions"
      description="Browsers where you are signed in. End any session that you do not recognize."
      actions={
        data.items.length > 1 && (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all other sessions
          </Button>
        )
      }
    >
      <ul className="divide-y rounded-md border" aria-label="Sessions">
        {data.items.map((session) => (
          <li key={session.id} className="flex items-center gap-3 px-3 py-2">
            <Monitor aria-hidden className="size-4 shrink-0 text-faint" />
            <span className="min-w-0 flex-1 leading-4">
              <span className="block truncate font-medium">{browserName(session.userAgent)}</span>
              <span className="block truncate text-xs text-faint">
                {session.address ?? 'Unknown address'}, used <RelativeTime time={session.lastUsedAt} />
              </span>
            </span>
            {session.current ? (
              <Badge tone="accent">This browser</Badge>
            ) : (
              <Button
                size="sm"
                busy={end.isPending && end.variables.id === session.id}
                onClick={() => end.mutate(session)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
