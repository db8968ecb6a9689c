import type { ServerResponse } from 'node:http';
import { escapeHtml, sendHtml } from '../pages.ts';
import { accessPath } from './guard.ts';

export interface Door {
  /** The page of the instance where members sign in. */
  signInUrl: string;
  /** Where the visitor wanted to go. */
  to: string;
  takesPassword: boolean;
  problem: 'wrong' | 'tooMany' | null;
}

const problems = {
  wrong: 'The password is wrong.',
  tooMany: 'Too many attempts. Wait a minute, then try again.',
};

/** What a visitor sees of a protected deployment: how to get in. */
export function sendDoor(response: ServerResponse, door: Door, requestId: string): void {
  const { signInUrl, to, takesPassword, problem } = door;
  const form = takesPassword
    ? `<form method="post" action="${accessPath}"><input type="hidden" name="to" value="${escapeHtml(to)}">` +
      '<label for="password">Password</label><input id="password" name="password" type="password" required autocomplete="current-password">' +
      '<button>Continue</button></form>'
    : '';
  const said = problem ? `<p role="alert">${problems[problem]}</p>` : '';
  sendHtml(response, {
    status: problem === 'tooMany' ? 429 : 401,
    title: 'This deployment is protected',
    body:
      '<p>Members of its organization can view it after signing in.</p>' +
      `<p class="action"><a href="${escapeHtml(signInUrl)}">Sign in</a></p>${said}${form}`,
    requestId,
    headers: {
      // What programs look for; browsers show the page.
      'www-authenticate': 'Mainstay',
      ...(problem === 'tooMany' ? { 'retry-after': '60' } : {}),
    },
  });
}
