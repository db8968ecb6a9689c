import type { Logger } from 'pino';
import { audit, systemSource } from '#accounts/audit-log/service.ts';
import type { Tx } from '#core/db.ts';
import type { Mailer } from '#core/mailer.ts';
import { toMicros } from '../catalogue/rates.ts';
import { thresholdOf } from '../ledger/amounts.ts';
import { type LedgerRow, setWarned } from '../ledger/store.ts';
import { usedOf } from '../ledger/windows.ts';
import { toWindow } from './rules.ts';
import { type BudgetRow, findBudget } from './store.ts';

interface Warning {
  budget: BudgetRow;
  percent: number;
  usedNanos: number;
}

interface WarningDeps {
  log: Logger;
  mailer: Mailer | null;
  /** Their e-mail addresses. */
  adminsOf(organizationId: string): Promise<readonly string[]>;
}

/** Tells once a threshold and window that half, four fifths or all of a budget is used: audit record, and mail to admins. */
export class Warnings {
  readonly #deps: WarningDeps;
  /** Warned of in transactions of which the commit is awaited. */
  readonly #found = new Map<string, Warning>();

  constructor(deps: WarningDeps) {
    this.#deps = deps;
  }

  /** In the transaction that added to the window. */
  async used(tx: Tx, row: LedgerRow): Promise<void> {
    if (row.warned >= 100) return;
    const budget = await findBudget(tx, row.budget_id);
    if (!budget) return;
    const percent = thresholdOf(usedOf(row), toWindow(budget, row.window_start).limit);
    if (percent <= row.warned) return;
    await setWarned(tx, row.budget_id, row.window_start, percent);
    const usedNanos = row.used_nanos;
    await audit(tx, systemSource, {
      organizationId: budget.organization_id,
      action: 'ai_budget.warned',
      targetType: 'ai_budget',
      targetId: budget.id,
      details: {
        percent,
        usedMicros: toMicros(usedNanos),
        requests: row.used_requests,
        tokens: row.used_tokens,
      },
    });
    this.#found.set(budget.id, { budget, percent, usedNanos });
  }

  /** After the commit: the mail. */
  async send(): Promise<void> {
    const found = [...this.#found.values()];
    this.#found.clear();
    const { mailer, adminsOf, log } = this.#deps;
    if (!mailer) return;
    for (const { budget, percent, usedNanos } of found) {
      try {
        for (const to of await adminsOf(budget.organization_id))
          await mailer.send({ to, ...letter(budget, percent, usedNanos) });
      } catch (err) {
        log.warn({ err, budgetId: budget.id }, 'The warning of a budget could not be mailed.');
      }
    }
  }
}

function letter(budget: BudgetRow, percent: number, usedNanos: number): { subject: string; text: string } {
  const dollars = (micros: number) => `$${(micros / 1e6).toFixed(2)}`;
  const period = budget.period === 'day' ? 'today' : 'this month';
  const limit = budget.max_cost_micros === null ? '' : ` of ${dollars(budget.max_cost_micros)}`;
  return {
    subject: `${percent} % of an AI budget is used`,
    text: [
      `${percent} % of the ${budget.period === 'day' ? 'daily' : 'monthly'} AI budget ${budget.id} is used.`,
      `Spent ${period}: ${dollars(toMicros(usedNanos))}${limit}.`,
      percent >= 100
        ? 'Further requests are refused until the period ends or an admin raises the budget.'
        : '',
    ]
      .filter((line) => line !== '')
      .join('\n\n'),
  };
}
