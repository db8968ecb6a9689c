import type { InstanceOverview } from '@mainstay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { overviewQuery } from '#areas/instance/data.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const mebibyte = 1024 * 1024;
const megabytes = (bytes: number) => `${Math.round(bytes / mebibyte).toLocaleString('en')} MiB`;
const milliseconds = (value: number) => `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ms`;

export function Overview() {
  const { data, dataUpdatedAt } = useSuspenseQuery(overviewQuery);
  const { database } = data;
  return (
    <>
      <PageHeader
        title="Instance"
        description="How the node that answers you is, and how much the instance holds."
        call={{ method: 'GET', path: '/admin/overview' }}
      />
      <div className="mb-4 grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Count label="Users" count={data.users} to="/instance/users" />
        <Count label="On the waitlist" count={data.waitlist} to="/instance/waitlist" />
        <Count label="Organizations" count={data.organizations} to="/instance/organizations" />
        <Count label="API keys" count={data.apiKeys} />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card
          title="Database"
          actions={
            <Badge tone={database.ready ? 'success' : 'danger'}>
              {database.ready ? 'Ready' : 'Does not answer'}
            </Badge>
          }
        >
          <Facts
            facts={[
              ['Engine', database.engine],
              ['Answers in', database.milliseconds !== null && milliseconds(database.milliseconds)],
            ].map(([name, value]) => [name as string, value || null])}
          />
        </Card>
        <Card
          title="Mail"
          actions={
            <Badge tone={data.mail ? 'success' : 'warning'}>{data.mail ? 'Set up' : 'Not set up'}</Badge>
          }
        >
          <p className="text-muted">
            {data.mail
              ? 'Letters for verification, invitations and new passwords are sent.'
              : 'No letters are sent: hand over links for invitations and new passwords yourself. The settings MAINSTAY_SMTP_… change it.'}
          </p>
        </Card>
        <Card title="This node" className="lg:col-span-2">
          <Facts
            facts={[
              ['Version', data.version],
              ['Node.js', data.node],
              ['Started', <RelativeTime key="started" time={data.startedAt} />],
              ['Memory', megabytes(data.memoryBytes)],
            ]}
          />
          <div className="mt-5">
            <Course overview={data} at={dataUpdatedAt} />
          </div>
        </Card>
      </div>
    </>
  );
}

interface CountProps {
  label: string;
  count: number;
  to?: string;
}

function Count({ label, count, to }: CountProps) {
  const content = (
    <>
      <span className="block text-muted">{label}</span>
      <span className="mt-1 block text-2xl font-semibold tracking-tight tabular-nums">
        {count.toLocaleString('en')}
      </span>
    </>
  );
  const box = 'block rounded-lg border bg-surface p-4';
  return to ? (
    <Link to={to as '/instance/users'} className={`${box} hover:border-edge`}>
      {content}
    </Link>
  ) : (
    <div className={box}>{content}</div>
  );
}

/** How long the database took and how much memory was used while this page was open. */
function Course({ overview, at }: { overview: InstanceOverview; at: number }) {
  const [points, setPoints] = useState<{ at: number; memory: number; database: number | null }[]>([]);
  useEffect(() => {
    const { memoryBytes, database } = overview;
    setPoints((old) => [
      ...old.filter((point) => point.at !== at).slice(-359),
      { at, memory: memoryBytes, database: database.milliseconds },
    ]);
  }, [overview, at]);
  const times = points.map((point) => point.at / 1000);
  if (points.length < 2)
    return <p className="text-faint">A course of memory and of the database begins in ten seconds.</p>;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <figure className="min-w-0">
        <figcaption className="mb-2 text-xs text-faint">Memory</figcaption>
        <Chart
          label="Memory since this page was opened"
          times={times}
          series={[{ label: 'Memory', values: points.map((point) => point.memory) }]}
          format={megabytes}
          height={140}
        />
      </figure>
      <figure className="min-w-0">
        <figcaption className="mb-2 text-xs text-faint">Answers of the database</figcaption>
        <Chart
          label="How long the database took since this page was opened"
          times={times}
          series={[{ label: 'Database', values: points.map((point) => point.database) }]}
          format={milliseconds}
          height={140}
        />
      </figure>
    </div>
  );
}
