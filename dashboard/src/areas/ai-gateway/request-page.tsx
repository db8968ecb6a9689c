import type { AiUsageEvent } from '@mainstay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { countText, millisecondsText } from '#api/numbers.ts';
import { Cost } from '#areas/ai-gateway/cost.tsx';
import { aiPath, requestQuery } from '#areas/ai-gateway/data.ts';
import { priceText } from '#areas/ai-gateway/money.ts';
import { useNames } from '#areas/ai-gateway/names.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { Waterfall, type WaterfallRow } from '#ui/waterfall.tsx';

const route = getRouteApi('/signed-in/o/$slug/ai/requests/$eventId');
type Attempt = NonNullable<AiUsageEvent['providerAttempts']>[number];

/** One request: what came of it, where the time went, and who was not asked and why. */
export function RequestPage() {
  const { id, slug } = useOrganization();
  const { eventId } = route.useParams();
  const { data: one } = useSuspenseQuery(requestQuery(id, eventId));
  const nameOf = useNames(id, 'application');
  const attempts = one.providerAttempts ?? [];
  const skipped = attempts.filter(isSkipped);
  const rows = attempts.filter((attempt) => !isSkipped(attempt)).map(rowOf);
  return (
    <>
      <PageHeader
        title={one.modelServed ?? one.modelRequested}
        badge={<StatusBadge status={one.status} />}
        crumbs={[{ text: 'AI requests', link: { to: '/o/$slug/ai/requests', params: { slug } } }]}
        call={{ method: 'GET', path: `${aiPath(id)}/usage/requests/${one.id}` }}
        actions={
          <Link
            to="/o/$slug/ai/playground"
            params={{ slug }}
            search={{ model: one.modelRequested }}
            className={buttonClass({})}
          >
            Open in playground
          </Link>
        }
      />
      <div className="space-y-4">
        {one.errorCode !== null && <ErrorNotice sentence={sentenceFor(one.errorCode, attempts)} />}
        <Card title="Attempts" description="From the arrival of the request to the end of its answer.">
          {rows.length === 0 ? (
            <p className="text-muted">No provider was called.</p>
          ) : (
            <Waterfall
              label="Attempts over time"
              rows={rows}
              {...(one.latencyMs === null ? {} : { total: one.latencyMs })}
            />
          )}
        </Card>
        {skipped.length > 0 && (
          <Card
            title="Skipped candidates"
            description="Candidates that were not called, and the rule that excluded each one."
          >
            <ul className="divide-y">
              {skipped.map((attempt, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list is read once and never reordered.
                <li key={at} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
                  <span className="min-w-0">
                    <span className="block truncate font-medium">{attempt.provider}</span>
                    <span className="block truncate text-xs text-faint">{attempt.model}</span>
                  </span>
                  <span className="min-w-0 text-muted wrap-anywhere">
                    {attempt.error ?? 'No reason recorded.'}{' '}
                    <span className="font-mono text-xs text-faint">
                      {attempt.tag?.slice('skipped:'.length)}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Card title="Request">
            <Facts
              facts={[
                ['When', <RelativeTime key="when" time={one.startedAt} />],
                ['Path', <Mono key="path">{one.path}</Mono>],
                ['Requested model', one.modelRequested],
                ['Provider', one.provider],
                ['Streamed', one.streaming ? 'Yes' : 'No'],
                ['From the cache', one.cacheHit ? 'Yes' : null],
                ['Application', one.applicationId && nameOf(one.applicationId)],
                ['API key', one.apiKeyId && <Mono copy>{one.apiKeyId}</Mono>],
                ['End user', one.callerEndUserId],
                ['Metadata', one.metadata && <Mono>{JSON.stringify(one.metadata)}</Mono>],
                ['Trace', one.traceId && <Mono copy>{one.traceId}</Mono>],
                [
                  'Request ID',
                  <Mono key="id" copy>
                    {one.requestId}
                  </Mono>,
                ],
              ]}
            />
          </Card>
          <Card title="Cost and tokens">
            <Facts
              facts={[
                [
                  'Cost',
                  <Cost key="cost" micros={one.billableCostMicros} unknown={one.pricing === 'unpriced'} />,
                ],
                ['Price from', pricings[one.pricing]],
                ['Input price', unitPrice(one, 'input')],
                ['Output price', unitPrice(one, 'output')],
                ['Input tokens', countText(one.inputTokens)],
                ['of which cached', one.cachedInputTokens > 0 ? countText(one.cachedInputTokens) : null],
                ['written to cache', one.cacheWriteTokens > 0 ? countText(one.cacheWriteTokens) : null],
                ['Output tokens', countText(one.outputTokens)],
                ['of which reasoning', one.reasoningTokens > 0 ? countText(one.reasoningTokens) : null],
                ['Counted by', sources[one.usageSource]],
                ['First token after', one.firstTokenMs === null ? null : millisecondsText(one.firstTokenMs)],
                ['Latency', millisecondsText(one.latencyMs)],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}

/** Why the gateway itself refused, where no candidate says it. */
const refusals = new Map([
  ['budget_exceeded', 'A budget had no room for what this request may have cost.'],
  ['model_not_found', 'No configured provider serves a model of this name.'],
  ['model_unpriced', 'A budget counts costs, and the model has no price.'],
  ['policy_denied', 'A policy does not allow this request.'],
  ['rate_limit_exceeded', 'There were too many requests or tokens in this minute.'],
]);

function sentenceFor(code: string, attempts: readonly Attempt[]): string {
  const reason = attempts.findLast(({ error }) => error !== undefined)?.error ?? refusals.get(code);
  return reason === undefined ? code : `${code}: ${reason}`;
}

const pricings: Record<AiUsageEvent['pricing'], string> = {
  list: 'The price list',
  provider: 'The provider',
  unpriced: 'None: the model has no price',
  none: 'Nothing was used',
};
const sources: Record<AiUsageEvent['usageSource'], string> = {
  provider: 'The provider',
  estimated: 'An estimate',
  none: 'Nobody',
};

function unitPrice({ unitPrices }: AiUsageEvent, name: string) {
  const price = unitPrices?.[name];
  return typeof price === 'number' ? `${priceText(price)} per million tokens` : null;
}

const isSkipped = ({ tag }: Attempt) => tag?.startsWith('skipped:') === true;

function rowOf(attempt: Attempt, at: number): WaterfallRow {
  const { provider, model, error, statusCode, tag, startedMs = 0, durationMs = 0, firstTokenMs } = attempt;
  const kind = tag === 'cache' ? 'from the cache' : tag;
  const note = [model, kind === `http_${statusCode}` ? undefined : kind, statusCode, error]
    .filter(Boolean)
    .join(' · ');
  const failed = error !== undefined;
  // The first token is told since the request arrived, as the beginning of the attempt is.
  const waited = firstTokenMs === undefined ? durationMs : Math.min(durationMs, firstTokenMs - startedMs);
  return {
    id: String(at),
    label: provider,
    note: note === '' ? null : note,
    start: startedMs,
    parts: [
      ...(failed && firstTokenMs === undefined
        ? [{ label: 'Failed', milliseconds: durationMs, tone: 'danger' as const }]
        : [{ label: 'Waiting for the first token', milliseconds: waited, tone: 'neutral' as const }]),
      ...(firstTokenMs === undefined
        ? []
        : [
            {
              label: failed ? 'Cut off' : 'Answering',
              milliseconds: Math.max(0, durationMs - waited),
              tone: failed ? ('danger' as const) : ('accent' as const),
            },
          ]),
    ],
  };
}
