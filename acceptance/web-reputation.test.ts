import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '../sdk/index.ts';
import { clientOf, errorOf, plainFetch, refusal } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/** Whatever the feeds and name servers of the instance say: names that end in .test have neither. */
const statuses = [
  'neutral',
  'adult_content',
  'phishing',
  'spam',
  'disposable_email',
  'relay_email',
  'piracy',
  'malware',
  'tracker',
  'squat',
];
const harmless = ['neutral', 'relay_email'];

for (const name of targetNames) {
  describe(`web reputation on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let client: Client;
    before(async () => {
      target = await openTarget(name);
      client = clientOf(target, 'application');
    });
    after(() => target[Symbol.asyncDispose]());

    test('a domain record has the fields of the specification; unknown domains are neutral', async () => {
      const asked = ['mailinator.com', 'EXAMPLE.com', 'bücher.example.com'];
      const records = await client.webReputation.domains(asked);
      assert.deepEqual(records.map(({ domain }) => domain).sort(), [
        'example.com',
        'mailinator.com',
        'xn--bcher-kva.example.com',
      ]);
      for (const record of records) {
        assert.deepEqual(Object.keys(record).sort(), [
          'domain',
          'isMxRecordAvailable',
          'status',
          'withholdingRecommended',
        ]);
        assert.ok(statuses.includes(record.status));
        assert.equal(record.withholdingRecommended, !harmless.includes(record.status));
        assert.equal(typeof record.isMxRecordAvailable, 'boolean');
      }
      const byName = new Map(records.map((record) => [record.domain, record.status]));
      assert.equal(byName.get('mailinator.com'), 'disposable_email');
      assert.equal(byName.get('example.com'), 'neutral');
    });

    test('an address record has the fields of the specification; valid is all three validators', async () => {
      const asked = ['info@example.com', 'someone@mailinator.com', 'two..dots@example.com'];
      const records = await client.webReputation.emails(asked);
      assert.deepEqual(records.map(({ email }) => email).sort(), [...asked].sort());
      for (const { domain, role, validations, email, ...rest } of records) {
        assert.deepEqual(rest, {});
        assert.deepEqual(Object.keys(domain).sort(), [
          'domain',
          'mxRecordAvailable',
          'status',
          'withholdingRecommended',
        ]);
        const { regex, typo, mx } = validations.validators;
        assert.equal(validations.valid, regex.valid && typo.valid && mx.valid);
        assert.equal(role, email.startsWith('info@'));
        assert.equal(regex.valid, !email.includes('..'));
      }
    });

    test('none, six, and what is no domain are refused; repeats collapse', async () => {
      const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((label) => `${label}.example.com`);
      await refusal(400, client.webReputation.domains([]));
      await refusal(400, client.webReputation.domains(six));
      await refusal(400, client.webReputation.emails([]));
      await refusal(400, client.webReputation.emails(['no address at all']));
      await refusal(400, client.webReputation.emails(six.map((domain) => `a@${domain}`)));
      for (const bad of ['', 'https://example.com', '192.0.2.1', 'co.uk', `${'a'.repeat(64)}.com`]) {
        await refusal(400, client.webReputation.domains([bad]));
      }
      assert.equal((await client.webReputation.domains(['example.com', 'Example.COM'])).length, 1);
    });

    test('an override decides at once for its organization, until it is gone', async () => {
      const owner = clientOf(target, 'organization');
      const domain = `acceptance-${crypto.randomUUID()}.com`;
      const status = async () => (await client.webReputation.domains([`www.${domain}`]))[0]?.status;
      const made = await owner.webReputation.createOverride(target.organizationId, {
        domain,
        action: 'block',
        status: 'spam',
      });
      assert.equal(await status(), 'spam');
      await owner.webReputation.deleteOverride(target.organizationId, made.id);
      assert.equal(await status(), 'neutral');
    });

    test('a token is needed', async () => {
      const send = await plainFetch(target, undefined);
      const response = await send('/web-reputation/domain?domain=example.com');
      assert.equal(response.status, 401);
      await errorOf(response);
    });
  });
}
