import { toMicros } from '../catalogue/rates.ts';
import { amountFor } from '../ledger/amounts.ts';
import type { UsageEvent } from '../ledger/event.ts';
import type { Admission, Journal } from '../ledger/journal.ts';
import { BudgetExhausted } from '../ledger/windows.ts';
import { type GatewayProblem, refusal } from '../problem.ts';
import { toWindow } from '../rules/rules.ts';
import type { BudgetRow } from '../rules/store.ts';
import type { Call } from './call.ts';
import type { Decided } from './decide.ts';
import { askFor } from './ticket.ts';

/**
 * Reserves what the request may cost, and writes it down. `affordableOutput`: whether a request without a bound of its
 * own gets less output rather than a refusal.
 */
export async function admit(
  { journal, affordableOutput }: { journal: Journal; affordableOutput: boolean },
  call: Call,
  { ordered, rules, budgets }: Decided,
  event: UsageEvent,
): Promise<Admission> {
  const ask = askFor(call, ordered, rules.maxOutputTokens);
  const mayShrink = affordableOutput && call.maxOutput === null && ask.outputWanted > 0;
  let least = mayShrink ? Math.min(ask.outputWanted, call.choices) : ask.outputWanted;
  let wanted = ask.outputWanted;
  for (const row of budgets) {
    if (row.max_request_cost_micros === null) continue;
    const most = row.max_request_cost_micros * 1000;
    if (amountFor(ask, wanted).nanos <= most) continue;
    const paid =
      ask.perOutputPico === 0 ? -1 : Math.floor(((most - ask.fixedNanos) * 1000) / ask.perOutputPico);
    if (paid < least)
      throw refusal(
        'budget_exceeded',
        `This request could cost ${toMicros(amountFor(ask, least).nanos)} micro-dollars, and a budget allows ${row.max_request_cost_micros} for one request (maxRequestCostMicros of budget ${row.id}). Send less, bound the output, or ask an admin of the organization.`,
      );
    wanted = paid;
  }
  least = Math.min(least, wanted);
  const windows = budgets
    .filter((row) => row.max_cost_micros !== null || row.max_requests !== null || row.max_tokens !== null)
    .map((row) => toWindow(row, call.startedAt));
  try {
    const admission = await journal.admit(
      event,
      { ...ask, outputWanted: wanted, outputLeast: least },
      windows,
    );
    return { ...admission, isShrunk: admission.output < ask.outputWanted };
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw error;
    const row = budgets.find(({ id }) => id === error.window.budgetId) as BudgetRow;
    throw budgetRefusal(row, error, toMicros(amountFor(ask, least).nanos));
  }
}

function budgetRefusal(
  row: BudgetRow,
  { window, used }: BudgetExhausted,
  needMicros: number,
): GatewayProblem {
  const subject = row.application_id
    ? 'the application'
    : row.api_key_id
      ? 'the API key'
      : row.user_id
        ? 'the user'
        : 'the organization';
  const period = row.period === 'day' ? 'today (UTC)' : 'this month (UTC)';
  const limits = [
    Number.isFinite(window.limit.nanos) && `${toMicros(used.nanos)} of ${row.max_cost_micros} micro-dollars`,
    Number.isFinite(window.limit.requests) && `${used.requests} of ${row.max_requests} requests`,
    Number.isFinite(window.limit.tokens) && `${used.tokens} of ${row.max_tokens} tokens`,
  ].filter((text) => text !== false);
  return refusal(
    'budget_exceeded',
    `The budget of ${subject} has no room for this request, which may cost up to ${needMicros} micro-dollars: ${limits.join(', ')} are used ${period} (budget ${row.id}). An admin of the organization can raise it.`,
  );
}
