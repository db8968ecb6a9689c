import { request } from 'node:http';
import type { LiveDeployment, PackagedFunction } from '#areas/deployments/service.ts';
import type { Instances, Workload } from '#areas/functions/service.ts';
import { isoTime } from '#core/clock.ts';

/** A GET to the function, as its schedule asks for it. Resolves with the status once the whole answer has come. */
export async function callFunction(
  { instances, workloadOf }: { instances: Instances; workloadOf(of: LiveDeployment): Workload },
  of: LiveDeployment,
  wanted: PackagedFunction,
  dueAt: number,
  signal: AbortSignal,
): Promise<number> {
  const deadline = AbortSignal.timeout(wanted.maxDurationSeconds * 1000);
  const place = await instances.acquire({ ...of, wanted, workload: () => workloadOf(of) });
  try {
    return await ask(place.socketPath, AbortSignal.any([signal, deadline]), {
      ...{ host: 'localhost', 'user-agent': 'Mainstay', 'x-mainstay-schedule': wanted.schedule ?? '' },
      'x-mainstay-scheduled-at': isoTime(dueAt),
    });
  } catch (error) {
    if (deadline.aborted)
      throw new Error(`The function did not respond within ${wanted.maxDurationSeconds} s.`);
    throw error;
  } finally {
    place.release();
  }
}

function ask(socketPath: string, signal: AbortSignal, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/', headers, agent: false, signal }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 502)).on('error', reject);
      response.resume();
    });
    asked.on('error', reject).end();
  });
}
