import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import { toMicros } from '../catalogue/rates.ts';
import { compilePattern } from '../guard/finders.ts';
import { windowEnd, windowStart } from '../ledger/amounts.ts';
import { budgetsTopic } from '../ledger/journal.ts';
import { ledgerRow } from '../ledger/store.ts';
import { policiesTopic } from './rules.ts';
import type { Budget, BudgetInput, Policy, PolicyBody, PutPolicy } from './schema.ts';
import {
  type BudgetRow,
  deleteBudgets,
  listBudgets,
  listPolicies,
  type PolicyRow,
  putBudget,
  putPolicy,
  replaceAliases,
} from './store.ts';

export interface RulesDeps {
  db: Db;
  clock: Clock;
  tenancy: Tenancy;
  /** The organization that an API key belongs to; null: none, or a person's own key. */
  organizationOfKey(id: string): Promise<string | null>;
}

/** Throws unless the application and the key are the organization's. Asked before the transaction. */
export async function demandOwn(
  { tenancy, organizationOfKey }: RulesDeps,
  organizationId: string,
  subjects: readonly { applicationId?: string | null | undefined; apiKeyId?: string | null | undefined }[],
): Promise<void> {
  for (const { applicationId, apiKeyId } of subjects) {
    if (applicationId && (await tenancy.organizationOf(applicationId.toLowerCase())) !== organizationId)
      throw new Problem('not_found', 'The organization has no application with this id.');
    if (apiKeyId && (await organizationOfKey(apiKeyId.toLowerCase())) !== organizationId)
      throw new Problem('not_found', 'The organization has no API key with this id.');
  }
}

const subjectOf = (budget: {
  applicationId?: unknown;
  userId?: unknown;
  apiKeyId?: unknown;
  period?: unknown;
}) =>
  [budget.applicationId ?? '', budget.userId ?? '', budget.apiKeyId ?? '', budget.period ?? 'month']
    .join(' ')
    .toLowerCase();

/** Replaces the set. A budget of the same subject and period keeps its id, and with it what was used. */
export async function replaceBudgets(
  tx: Tx,
  { clock }: RulesDeps,
  source: AuditSource,
  organizationId: string,
  inputs: readonly BudgetInput[],
  ifMatch: string | undefined,
): Promise<void> {
  const subjects = inputs.map(subjectOf);
  const twice = subjects.findIndex((subject, at) => subjects.indexOf(subject) !== at);
  if (twice >= 0)
    throw new Problem(
      'invalid_request',
      `The field "budgets.${twice}" is for the same subject and period as another one.`,
    );
  const before = await listBudgets(tx, organizationId);
  if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== etagOf(before))
    throw new Problem(
      'precondition_failed',
      'The budgets were changed since you read them. Read them again.',
    );
  const known = new Map(before.map((row) => [subjectOf(toSubject(row)), row]));
  const now = clock.now();
  const kept = new Set<string>();
  for (const [at, input] of inputs.entries()) {
    const old = known.get(subjects[at] as string);
    const row: BudgetRow = {
      id: old?.id ?? newId(now),
      organization_id: organizationId,
      application_id: input.applicationId?.toLowerCase() ?? '',
      user_id: input.userId?.toLowerCase() ?? '',
      api_key_id: input.apiKeyId?.toLowerCase() ?? '',
      period: input.period ?? 'month',
      max_cost_micros: input.maxCostMicros ?? null,
      max_requests: input.maxRequests ?? null,
      max_tokens: input.maxTokens ?? null,
      max_request_cost_micros: input.maxRequestCostMicros ?? null,
      enabled: input.enabled === false ? 0 : 1,
      created_at: old?.created_at ?? now,
      updated_at: now,
    };
    kept.add(row.id);
    await putBudget(tx, row);
  }
  await deleteBudgets(
    tx,
    before.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
  );
  announce(tx, budgetsTopic, organizationId);
  await audit(tx, source, {
    organizationId,
    action: 'ai_budgets.replaced',
    targetType: 'organization',
    targetId: organizationId,
    details: { before: before.length, after: inputs.length },
  });
}

function etagOf(rows: readonly BudgetRow[]): string {
  const text = JSON.stringify(rows.map((row) => [row.id, row.updated_at]));
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

function toSubject(row: BudgetRow) {
  return {
    applicationId: row.application_id || null,
    userId: row.user_id || null,
    apiKeyId: row.api_key_id || null,
    period: row.period,
  };
}

export async function budgetsOf(
  { db, clock }: Pick<RulesDeps, 'db' | 'clock'>,
  organizationId: string,
): Promise<{ items: Static<typeof Budget>[]; etag: string }> {
  const rows = await listBudgets(db, organizationId);
  const now = clock.now();
  const items: Static<typeof Budget>[] = [];
  for (const row of rows) {
    const start = windowStart(row.period, now);
    const used = await ledgerRow(db, row.id, start);
    items.push({
      id: row.id,
      organizationId,
      ...toSubject(row),
      maxCostMicros: row.max_cost_micros,
      maxRequests: row.max_requests,
      maxTokens: row.max_tokens,
      maxRequestCostMicros: row.max_request_cost_micros,
      enabled: row.enabled === 1,
      used: {
        costMicros: toMicros(used?.used_nanos ?? 0),
        requests: used?.used_requests ?? 0,
        tokens: used?.used_tokens ?? 0,
      },
      windowStart: isoTime(start),
      windowEnd: isoTime(windowEnd(row.period, start)),
      createdAt: isoTime(row.created_at),
      updatedAt: isoTime(row.updated_at),
    });
  }
  return { items, etag: etagOf(rows) };
}

/** Throws what is wrong about the guardrails or the webhook of a policy. */
export function demandSound({ guardrails, webhookUrl }: PolicyBody): void {
  for (const [at, { type, pattern }] of (guardrails ?? []).entries()) {
    const field = `guardrails.${at}.pattern`;
    if ((type === 'pattern') !== (pattern !== undefined))
      throw new Problem(
        'invalid_request',
        type === 'pattern'
          ? `The field "${field}" is missing; a guardrail of the type "pattern" needs one.`
          : `The field "${field}" is for guardrails of the type "pattern" only.`,
      );
    try {
      if (pattern !== undefined) compilePattern(pattern);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Problem(
        'invalid_request',
        `The field "${field}" is not a valid RE2 expression: ${error.message}.`,
      );
    }
  }
  if (!webhookUrl) return;
  const url = URL.parse(webhookUrl);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '')
    throw new Problem(
      'invalid_request',
      'The field "webhookUrl" must be an address that begins with https:// or http://, without a user name in it.',
    );
}

/** The policy of one subject as a whole: what is not sent is as if it were null. */
export async function replacePolicy(
  tx: Tx,
  { clock }: RulesDeps,
  source: AuditSource,
  organizationId: string,
  { applicationId, apiKeyId, ...body }: Static<typeof PutPolicy>,
): Promise<PolicyRow> {
  const subject = {
    application_id: applicationId?.toLowerCase() ?? '',
    api_key_id: apiKeyId?.toLowerCase() ?? '',
  };
  const old = (await listPolicies(tx, organizationId)).find(
    (row) => row.application_id === subject.application_id && row.api_key_id === subject.api_key_id,
  );
  const now = clock.now();
  const row: PolicyRow = {
    id: old?.id ?? newId(now),
    organization_id: organizationId,
    ...subject,
    body: JSON.stringify(body),
    created_at: old?.created_at ?? now,
    updated_at: now,
  };
  await putPolicy(tx, row);
  announce(tx, policiesTopic, organizationId);
  await audit(tx, source, {
    organizationId,
    action: 'ai_policy.replaced',
    targetType: 'ai_policy',
    targetId: row.id,
    details: { applicationId: applicationId ?? null, apiKeyId: apiKeyId ?? null, rules: Object.keys(body) },
  });
  return row;
}

export function toPolicy(row: PolicyRow): Static<typeof Policy> {
  const body = JSON.parse(row.body) as PolicyBody;
  return {
    id: row.id,
    organizationId: row.organization_id,
    applicationId: row.application_id || null,
    apiKeyId: row.api_key_id || null,
    allowedModels: body.allowedModels ?? null,
    allowedProviders: body.allowedProviders ?? null,
    requireZdr: body.requireZdr ?? false,
    allowFallbacks: body.allowFallbacks ?? true,
    maxOutputTokens: body.maxOutputTokens ?? null,
    requestsPerMinute: body.requestsPerMinute ?? null,
    tokensPerMinute: body.tokensPerMinute ?? null,
    guardrails: body.guardrails ?? [],
    webhookUrl: body.webhookUrl ?? null,
    cacheTtlSeconds: body.cacheTtlSeconds ?? null,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

export async function setAliases(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  aliases: readonly { alias: string; models: readonly string[] }[],
): Promise<void> {
  const names = aliases.map(({ alias }) => alias);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Problem('invalid_request', `The alias "${twice}" is given twice.`);
  await replaceAliases(tx, organizationId, aliases);
  announce(tx, policiesTopic, organizationId);
  await audit(tx, source, {
    organizationId,
    action: 'ai_aliases.replaced',
    targetType: 'organization',
    targetId: organizationId,
    details: { aliases: names },
  });
}
