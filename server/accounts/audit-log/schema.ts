import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Id, ListOf, Nullable, Time } from '#http/schema.ts';

const AuditRecord = Type.Object(
  {
    id: Id,
    organizationId: Nullable(Id),
    actor: Type.Object({
      type: Type.String({ description: 'user, organization, application, deployment, function or system.' }),
      id: Nullable(Type.String()),
    }),
    action: Type.String({ description: 'For example `api_key.created`.' }),
    target: Type.Object({ type: Type.String(), id: Nullable(Type.String()) }),
    requestId: Nullable(Type.String()),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'What changed. Never a secret.' }),
    createdAt: Time,
  },
  { title: 'AuditRecord' },
);

export const AuditList = ListOf(AuditRecord);

export const AuditQuery = Type.Interface([CursorQuery], {
  actorId: Type.Optional(Type.String({ maxLength: 100 })),
  action: Type.Optional(Type.String({ maxLength: 100 })),
  targetType: Type.Optional(Type.String({ maxLength: 100 })),
  targetId: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Not before this moment.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Before this moment.' })),
});

export const AdminAuditQuery = Type.Interface([AuditQuery], {
  organizationId: Type.Optional(Id),
});
