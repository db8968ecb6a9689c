import type { Auth } from '#core/actor.ts';
import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import type { AuditAction } from './actions.ts';
import { insert } from './store.ts';

export type { ActionOf, AuditAction } from './actions.ts';
export { auditPage } from './page.ts';
export { AuditList, AuditQuery } from './schema.ts';

/** Who did it: a token's actor on a request, or the program itself (`mainstay-server bootstrap`, a scheduled task). */
export interface AuditSource {
  actorType: string;
  actorId: string | null;
  requestId: string | null;
  /** The API key whose token or secret it was, where it was one. */
  keyId?: string | null;
}

export function requestSource(request: { auth: Auth; id: string }): AuditSource {
  const { actor, through, clientId } = request.auth;
  const keyId = through === 'api_key' ? clientId : null;
  return { actorType: actor.type, actorId: actor.id, requestId: request.id, keyId };
}

export const systemSource: AuditSource = { actorType: 'system', actorId: null, requestId: null };

export interface AuditEvent {
  organizationId: string | null;
  action: AuditAction;
  targetType: string;
  targetId: string | null;
  /** What changed, for a reader. Never a secret, never a sensitive value. */
  details?: Record<string, unknown>;
}

/** Writes the record in the transaction of the change that it describes. */
export async function audit(tx: Tx, source: AuditSource, event: AuditEvent): Promise<void> {
  await insert(tx, {
    id: newId(),
    organization_id: event.organizationId,
    actor_type: source.actorType,
    actor_id: source.actorId,
    action: event.action,
    target_type: event.targetType,
    target_id: event.targetId,
    request_id: source.requestId,
    details: JSON.stringify(event.details ?? {}),
    created_at: Date.now(),
  });
}
