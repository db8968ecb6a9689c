import { ApiError } from '@mainstay/sdk';
import type { Context } from '../core/context.ts';
import { Failure } from '../core/failure.ts';
import { ago } from '../core/text.ts';

/** `mainstay` alone: where one is, and what one can do next. */
export async function home(context: Context, version: string): Promise<number> {
  const { out } = context;
  const { bold, dim, cyan } = out.paint;
  const { current, profiles } = await context.profiles.all();
  const state = await look(context);
  out.result({ version, ...state }, () => {
    out.line(`${bold('Mainstay')} ${dim(version)}`);
    out.line();
    out.fields([
      ['Instance', state.url ?? 'none'],
      ['Account', state.account ?? 'not signed in'],
      ['Linked to', state.application?.name ?? (state.applicationId ? state.applicationId : 'nothing')],
      ['Live', state.live ? `${state.live.id} ${dim(`(${ago(state.live.createdAt)})`)}` : undefined],
      [
        'Profiles',
        profiles.size > 1
          ? [...profiles.keys()].map((name) => (name === current ? `*${name}` : name)).join(', ')
          : undefined,
      ],
    ]);
    if (state.problem) out.line(`\n${state.problem}`);
    out.line();
    for (const [line, meaning] of nextSteps(state)) out.line(`  ${cyan(line.padEnd(26))} ${meaning}`);
    out.line(`  ${cyan('mainstay --help'.padEnd(26))} Every command`);
  });
  return 0;
}

interface State {
  url: string | null;
  account: string | null;
  applicationId: string | null;
  application: { id: string; name: string } | null;
  live: { id: string; createdAt: string } | null;
  problem: string | null;
}

async function look(context: Context): Promise<State> {
  const linked = await context.linked();
  const state: State = {
    url: null,
    account: null,
    applicationId: linked?.link.applicationId ?? null,
    application: null,
    live: null,
    problem: null,
  };
  try {
    const { url, profile } = await context.connection();
    const { profiles } = await context.profiles.all();
    state.url = url;
    state.account =
      (profile === undefined ? undefined : profiles.get(profile)?.account) ?? 'by the environment';
    if (!linked) return state;
    const client = await context.client();
    const quick = { timeoutMilliseconds: 5_000, retries: 0, signal: context.signal };
    const { applicationId } = linked.link;
    const [application, { items }] = await Promise.all([
      client.applications.get(applicationId, quick),
      client.deployments.list({ applicationId, limit: 20 }, quick),
    ]);
    state.application = { id: application.id, name: application.name };
    const live = items.find((one) => one.live);
    state.live = live ? { id: live.id, createdAt: live.createdAt } : null;
  } catch (error) {
    if (error instanceof Failure && state.url === null) {
      state.url = context.url ?? null;
      return state;
    }
    const { explain } = await import('../core/explain.ts');
    const failure = explain(error, context.url);
    state.problem =
      error instanceof ApiError && error.status === 404
        ? 'The linked application is not there, or not yours. Run `mainstay link`.'
        : [failure.message, failure.next].filter(Boolean).join(' ');
  }
  return state;
}

function nextSteps(state: State): [line: string, meaning: string][] {
  if (state.account === null)
    return [[`mainstay login${state.url ? '' : ' <address>'}`, 'Sign in to an instance']];
  if (state.applicationId === null)
    return [
      ['mainstay deploy', 'Deploy this folder, as a new application'],
      ['mainstay link', 'Link this folder to an existing application'],
      ['mainstay apps', 'List your applications'],
    ];
  return [
    ['mainstay deploy', state.live ? 'Deploy a preview' : 'Deploy it for the first time'],
    ['mainstay deploy --prod', 'Deploy to production'],
    ['mainstay logs', 'Stream its requests'],
    ['mainstay env pull', 'Write its variables to .env.local'],
    ['mainstay open', 'Open it in the browser'],
  ];
}
