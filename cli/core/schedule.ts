import type { Client } from '@mainstay/sdk';
import { environmentSlugs } from './deployment.ts';
import { Failure, wrongUsage } from './failure.ts';

type Schedule = Awaited<ReturnType<Client['schedules']['list']>>['items'][number];

/** Schedules of live deployments with the slugs of their environments. */
export async function schedulesOf(
  client: Client,
  app: string,
): Promise<(Schedule & { environment: string | null })[]> {
  const [{ items }, slugs] = await Promise.all([client.schedules.list(app), environmentSlugs(client, app)]);
  return items.map((one) => ({ ...one, environment: slugs.get(one.environmentId) ?? null }));
}

/** By its function, the end of its name, or its id; `environment` where several have it. */
export async function findSchedule(
  client: Client,
  app: string,
  wanted: string,
  environment: string | undefined,
): Promise<Schedule> {
  const all = (await schedulesOf(client, app)).filter(
    (one) =>
      environment === undefined || one.environment === environment || one.environmentId === environment,
  );
  const exact = all.filter(({ id, functionName }) => id === wanted || functionName === wanted);
  const found =
    exact.length > 0 ? exact : all.filter(({ functionName }) => functionName.endsWith(`/${wanted}`));
  const [only, other] = found;
  if (only && !other) return only;
  if (other)
    throw wrongUsage(
      `Several schedules are called ${wanted}.`,
      'Name the environment by --env, or give the id.',
    );
  throw new Failure(`No live deployment has a schedule ${wanted}.`, {
    exit: 'notFound',
    next: '`mainstay schedules` lists those there are.',
  });
}
