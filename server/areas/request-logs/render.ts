import type { Static } from 'typebox';
import { isoTime } from '#core/clock.ts';
import type { StoredLine } from '#core/log-store.ts';
import type { RequestDetail, RequestSummary } from './schema.ts';

export interface Shown {
  application: { id: string; name: string };
  /** States of the deployments on the page, as they are now. */
  states: ReadonlyMap<string, string>;
}

/** As the API shows it. */
export function toSummary(
  { id, body, weight }: StoredLine,
  { application, states }: Shown,
): Static<typeof RequestSummary> {
  const { deploymentId, startedAt, completedAt, ...rest } = body;
  // Only deployments that are active answer: one that nobody knows any more was, when it did.
  const status = states.get(deploymentId) ?? 'ACTIVE';
  return {
    ...rest,
    id,
    application,
    deployment: deploymentId === null ? null : { id: deploymentId, status },
    deploymentFunction: filled(body.deploymentFunction, { name: null, path: '', region: null }),
    deploymentAsset: filled(body.deploymentAsset, { path: body.request.path, objectKey: '' }),
    storageBucket: filled(body.storageBucket, { name: '', slug: '' }),
    storageObject: filled(body.storageObject, { key: '', contentType: null }),
    startedAt: isoTime(startedAt),
    completedAt: completedAt === null ? null : isoTime(completedAt),
    sampleWeight: weight,
  };
}

export function toDetail(line: StoredLine, shown: Shown): Static<typeof RequestDetail> {
  return { ...toSummary(line, shown), ...line.detail };
}

/** A writer that knows the id alone leaves the rest out. */
function filled<T extends object>(reference: ({ id: string } & Partial<T>) | null, rest: T) {
  return reference && ({ ...rest, ...reference } as { id: string } & T);
}
