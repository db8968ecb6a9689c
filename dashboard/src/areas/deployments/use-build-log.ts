import type { Deployment } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { api } from '#api/client.ts';
import { type BuildLine, deploymentQuery, isOver, logQuery } from '#areas/deployments/data.ts';
import { useTail } from '#areas/logs/use-tail.ts';

/** The log of a deployment, oldest line first: as it is printed, and whole once it has ended. */
export function useBuildLog(deployment: Deployment): readonly BuildLine[] {
  const { id } = deployment;
  const queries = useQueryClient();
  const hasEnded = isOver(deployment);
  const { rows } = useTail<BuildLine>({
    of: id,
    isOn: !hasEnded,
    open: async (signal) => untilEnd(await api.deployments.streamLogs(id, { signal })),
  });
  // Where the log ends the state has turned.
  async function* untilEnd(lines: AsyncIterable<BuildLine>) {
    yield* lines;
    await queries.invalidateQueries(deploymentQuery(id));
  }
  const { data: whole } = useQuery({ ...logQuery(id), enabled: hasEnded });
  // A connection that is opened again begins with the first line.
  const live = useMemo(() => [...new Map(rows.toReversed().map((line) => [line.id, line])).values()], [rows]);
  // The tail is over before the whole log is there: until then what was seen stays.
  const seen = useRef({ id, lines: live });
  if (seen.current.id !== id || live.length > 0) seen.current = { id, lines: live };
  return whole ?? seen.current.lines;
}
