import type { Run } from '../core/run.ts';
import type { reputation } from '../descriptions/more.ts';

const atOnce = 5;

export const run: Run<typeof reputation> = async (context, { arguments: { names }, options }) => {
  const { out } = context;
  const client = await context.client();
  const emails = names.filter((name) => name.includes('@'));
  const domains = names.filter((name) => !name.includes('@'));
  if (options.explain) {
    const answers = await inGroups(domains, (group) => client.webReputation.explainDomains(group));
    return out.result(answers, () => out.line(JSON.stringify(answers, null, 2)));
  }
  const ofDomains = (await inGroups(domains, (group) => client.webReputation.domains(group))).flatMap(
    listOf<DomainAnswer>,
  );
  const ofEmails = (await inGroups(emails, (group) => client.webReputation.emails(group))).flatMap(
    listOf<EmailAnswer>,
  );
  out.result({ domains: ofDomains, emails: ofEmails }, () => {
    const rows = [
      ...ofDomains.map((one) => ({
        name: one.domain,
        status: one.status,
        withheld: one.withholdingRecommended,
        note: '',
      })),
      ...ofEmails.map((one) => ({
        name: one.email,
        status: one.domain.status,
        withheld: one.domain.withholdingRecommended || !one.validations.valid,
        note: one.validations.valid ? (one.role ? 'a role' : '') : 'not valid',
      })),
    ];
    out.table(rows, [
      { title: 'Name', value: ({ name }) => name },
      {
        title: 'Status',
        value: ({ status }) => status,
        style: (text, row) => (row.withheld ? out.paint.red(text) : out.paint.green(text)),
      },
      { title: 'Recommended', value: ({ withheld }) => (withheld ? 'no' : 'yes'), isFixed: true },
      { title: 'Note', value: ({ note }) => note },
    ]);
  });
};

interface DomainAnswer {
  domain: string;
  status: string;
  withholdingRecommended: boolean;
}
interface EmailAnswer {
  email: string;
  role: boolean;
  domain: DomainAnswer;
  validations: { valid: boolean };
}

function listOf<T>(answer: unknown): T[] {
  return (Array.isArray(answer) ? answer : ((answer as { items?: T[] }).items ?? [])) as T[];
}

/** The API takes five names a look-up. */
async function inGroups<T>(names: readonly string[], look: (group: string[]) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let at = 0; at < names.length; at += atOnce) answers.push(await look(names.slice(at, at + atOnce)));
  return answers;
}
