import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { actions } from '../../server/accounts/audit-log/actions.ts';
import { special } from '../src/areas/audit-log/sentence.ts';
import { sentences } from '../src/areas/profile/history-sentence.ts';

const known = Object.keys(actions);

describe('the sentences of audit actions', () => {
  test('are of actions that exist', () => {
    const unknown = [...Object.keys(sentences), ...Object.keys(special)].filter(
      (name) => !known.includes(name),
    );
    assert.deepEqual(unknown, []);
  });

  test('cover everything that can happen to an account that still exists', () => {
    const ofAccounts = /^(user|session|password|passkey|two_factor|provider|oauth_grant)\./;
    const missing = known.filter((name) => ofAccounts.test(name) && !Object.hasOwn(sentences, name));
    assert.deepEqual(missing, ['user.deleted']);
  });
});
