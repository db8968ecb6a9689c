import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { tokenCurl } from '#api/snippets.ts';
import { type KeyOwner, keyQuery, scopesQuery, statusOf } from '#areas/keys/data.ts';
import { KeyActions } from '#areas/keys/key-actions.tsx';
import { Badge } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { CodeBlock, Mono } from '#ui/code-block.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

interface KeyPageProps {
  keyId: string;
  owner: KeyOwner;
  list: { text: string; link: LinkProps };
  /** What was done to the key, where there is an audit log of it. */
  activity?: LinkProps;
}

export function KeyPage({ keyId, owner, list, activity }: KeyPageProps) {
  const { data: apiKey } = useSuspenseQuery(keyQuery(keyId));
  const { data: scopes } = useSuspenseQuery(scopesQuery);
  const navigate = useNavigate();
  const texts = new Map(scopes.map(({ scope, text }) => [scope, text]));
  return (
    <>
      <KeyActions apiKey={apiKey} owner={owner} onRevoked={() => void navigate(list.link as object)}>
        {(items) => (
          <PageHeader
            title={apiKey.name}
            crumbs={[list]}
            badge={<StatusBadge status={statusOf(apiKey)} />}
            call={{ method: 'GET', path: `/api-keys/${apiKey.id}` }}
            menu={items}
            actions={
              activity && (
                <Link {...activity} className={buttonClass({})}>
                  View activity
                </Link>
              )
            }
          />
        )}
      </KeyActions>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="min-w-0 space-y-4">
          <Card title="Details">
            <Facts
              facts={[
                [
                  'Client ID',
                  <Mono key="id" copy>
                    {apiKey.id}
                  </Mono>,
                ],
                ['Created', <RelativeTime key="created" time={apiKey.createdAt} />],
                ['Last used', <RelativeTime key="used" time={apiKey.lastUsedAt} />],
                ['Expires', <RelativeTime key="expires" time={apiKey.expiresAt} />],
                ['Allowed addresses', apiKey.allowedAddresses.join(', ') || 'Any'],
              ]}
            />
          </Card>
          <Card
            title="Secrets"
            description="Only hashes are stored. A key has two secrets while it is rotated."
          >
            <ul className="divide-y rounded-md border">
              {apiKey.secrets.map(({ id, createdAt }, at) => (
                <li key={id} className="flex items-center justify-between gap-3 px-3 py-2">
                  <span>
                    Created <RelativeTime time={createdAt} />
                  </span>
                  {apiKey.secrets.length > 1 && (
                    <Badge tone={at === 0 ? 'warning' : 'success'}>{at === 0 ? 'Old' : 'New'}</Badge>
                  )}
                </li>
              ))}
            </ul>
          </Card>
          <CodeBlock
            label="Exchange the key for a token"
            code={tokenCurl({ id: apiKey.id, secret: '$MAINSTAY_SECRET' }).replaceAll(
              `'${apiKey.id}:$MAINSTAY_SECRET'`,
              `"${apiKey.id}:$MAINSTAY_SECRET"`,
            )}
          />
        </div>
        <Card title="Scopes" description={`${apiKey.scopes.length} scopes`}>
          <ul className="divide-y rounded-md border">
            {apiKey.scopes.map((scope) => (
              <li key={scope} className="px-3 py-2">
                <span className="block">{texts.get(scope) ?? scope}</span>
                <span className="block font-mono text-xs text-faint">{scope}</span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </>
  );
}
