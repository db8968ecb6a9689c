import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { type NameServer, startNameServer } from '#testing/name-server.ts';

const zones = {
  'example.com': { mx: ['mx.example.com'] },
  'www.example.com': { a: ['192.0.2.1'] },
  'mail.example.org': { a: ['192.0.2.2'] },
  'example.net': { mx: ['.'] },
  'mailinator.com': { mx: ['mx.mailinator.com'] },
  'gmail.com': { mx: ['mx.gmail.com'] },
};

for (const engine of engines) {
  describe(`web reputation on ${engine}`, () => {
    let instance: Instance;
    let dns: NameServer;
    before(async () => {
      dns = await startNameServer(zones);
      instance = await startInstance(engine, {
        settings: {
          MAINSTAY_DNS_SERVERS: dns.address,
          MAINSTAY_MX_TIMEOUT: '1s',
          MAINSTAY_REPUTATION_REFRESH: 'false',
        },
      });
    });
    after(async () => {
      await instance[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    });

    const get = (path: string, as: 'user' | 'organization' | 'application' = 'application') =>
      instance.call('GET', path, { as });
    const domains = (...names: string[]) =>
      get(`/web-reputation/domain?${names.map((name) => `domain=${encodeURIComponent(name)}`).join('&')}`);
    const emails = (...addresses: string[]) =>
      get(`/web-reputation/email?${addresses.map((each) => `email=${encodeURIComponent(each)}`).join('&')}`);

    test('a domain that nobody lists is neutral, and its record has the specified fields alone', async () => {
      const { status, body, headers } = await domains('example.com');
      assert.equal(status, 200);
      assert.equal(headers.get('warning'), null);
      assert.deepEqual(body, [
        {
          domain: 'example.com',
          status: 'neutral',
          withholdingRecommended: false,
          isMxRecordAvailable: true,
        },
      ]);
    });

    test('every actor may ask', async () => {
      for (const as of ['user', 'organization', 'application'] as const) {
        assert.equal((await get('/web-reputation/domain?domain=example.com', as)).status, 200);
        assert.equal((await get('/web-reputation/email?email=a@example.com', as)).status, 200);
        assert.equal((await get('/web-reputation/feeds', as)).status, 200);
      }
      assert.equal((await instance.call('GET', '/web-reputation/domain?domain=example.com')).status, 401);
    });

    test('five names are answered in one request, each with its own status', async () => {
      const { body } = await domains(
        'mailinator.com',
        'anything.below.mailinator.com',
        'privaterelay.appleid.com',
        'paypa1.com',
        'doubleclick.net',
      );
      const found = Object.fromEntries(
        body.map((record: { domain: string; status: string }) => [record.domain, record.status]),
      );
      assert.deepEqual(found, {
        'mailinator.com': 'disposable_email',
        'anything.below.mailinator.com': 'disposable_email',
        'privaterelay.appleid.com': 'relay_email',
        'paypa1.com': 'squat',
        'doubleclick.net': 'tracker',
      });
      const withheld = body.filter(
        (record: { withholdingRecommended: boolean }) => record.withholdingRecommended,
      );
      assert.equal(withheld.length, 4);
    });

    test('repeats collapse, and a name is returned in lower-case punycode', async () => {
      const { body } = await domains(
        'Bücher.example',
        'bücher.example',
        'xn--bcher-kva.example.',
        'BÜCHER.EXAMPLE',
      );
      assert.deepEqual(
        body.map((record: { domain: string }) => record.domain),
        ['xn--bcher-kva.example'],
      );
    });

    const wrong: [what: string, query: string, sentence: RegExp][] = [
      ['none', '', /"domain" is missing/],
      ['six', Array.from({ length: 6 }, (_, i) => `domain=n${i}.com`).join('&'), /at most 5/],
      ['an empty one', 'domain=', /"" is empty/],
      ['a URL', 'domain=https%3A%2F%2Fexample.com%2F', /is a URL/],
      ['an IPv4 address', 'domain=192.0.2.1', /is an IP address/],
      ['an IPv6 address', 'domain=%5B2001%3Adb8%3A%3A1%5D', /is an IP address/],
      ['an address in hexadecimal', 'domain=0x7f.1', /ends in a number/],
      ['an e-mail address', 'domain=a%40example.com', /is an e-mail address/],
      ['a single label', 'domain=localhost', /single label/],
      ['a bare suffix', 'domain=co.uk', /public suffix/],
      ['a bare top level', 'domain=com', /single label/],
      ['an empty label', 'domain=a..com', /empty label/],
      ['a blank', 'domain=a%20b.com', /character/],
      ['a label with a hyphen at its edge', 'domain=-a.com', /hyphen/],
      ['a label of 64 characters', `domain=${'a'.repeat(64)}.com`, /more than 63/],
      ['a name of 254 characters', `domain=${nameOf(254)}`, /longer than 253/],
      ['a name of 255 characters', `domain=${nameOf(255)}`, /longer than 253/],
      ['punycode that does not decode', 'domain=xn--a.com', /not valid punycode/],
      ['letters of two directions in one label', 'domain=%D7%90%D7%911a.com', /together/],
      ['one wrong among right ones', 'domain=example.com&domain=nonsense', /"nonsense"/],
    ];
    for (const [what, query, sentence] of wrong) {
      test(`${what} is refused, and named`, async () => {
        const { status, body } = await get(`/web-reputation/domain?${query}`);
        assert.equal(status, 400);
        assert.deepEqual(Object.keys(body), ['error']);
        assert.match(body.error, sentence);
      });
    }

    const right: [what: string, name: string, domain: string][] = [
      ['a trailing dot', 'example.com.', 'example.com'],
      ['upper case', 'EXAMPLE.Com', 'example.com'],
      ['253 characters', nameOf(253), nameOf(253)],
      ['an emoji domain', 'i❤.ws', 'xn--i-7iq.ws'],
      ['full-width letters', 'ｅｘａｍｐｌｅ.com', 'example.com'],
      ['mixed scripts', 'раypal.com', 'xn--ypal-43d9g.com'],
      ['an underscore below the registrable domain', '_dmarc.example.com', '_dmarc.example.com'],
      ['a suffix that a company runs', 'github.io', 'github.io'],
    ];
    for (const [what, name, domain] of right) {
      test(`${what} is accepted`, async () => {
        const { status, body } = await domains(name);
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(body[0].domain, domain);
      });
    }

    test('an address is returned as it was sent, with every field of the specification', async () => {
      const { status, body } = await emails('Support+1@Example.com');
      assert.equal(status, 200);
      assert.deepEqual(body, [
        {
          email: 'Support+1@Example.com',
          role: true,
          domain: {
            domain: 'example.com',
            status: 'neutral',
            withholdingRecommended: false,
            mxRecordAvailable: true,
          },
          validations: {
            valid: true,
            validators: { regex: { valid: true }, typo: { valid: true }, mx: { valid: true } },
          },
        },
      ]);
    });

    test('a domain with an address and no MX record takes mail, and says so in the validator alone', async () => {
      const { body } = await emails('a@mail.example.org');
      assert.equal(body[0].domain.mxRecordAvailable, false);
      assert.equal(body[0].validations.validators.mx.valid, true);
      assert.equal(body[0].validations.valid, true);
    });

    test('a null MX record means no mail', async () => {
      const { body } = await emails('a@example.net');
      assert.equal(body[0].domain.mxRecordAvailable, false);
      assert.equal(body[0].validations.validators.mx.valid, false);
    });

    test('a mistyped provider fails the typo validator, and the right one is suggested', async () => {
      const { body } = await emails('jane@gmial.com');
      assert.equal(body[0].validations.validators.typo.valid, false);
      assert.equal(body[0].validations.valid, false);
      const query = ['jane@gmial.com', 'jane@gmail.com', 'jane@ymail.com', 'jane@gmail']
        .map((each) => `email=${encodeURIComponent(each)}`)
        .join('&');
      const suggested = await get(`/web-reputation/email/suggestion?${query}`);
      assert.equal(suggested.status, 200);
      assert.deepEqual(suggested.body, [
        { email: 'jane@gmial.com', suggestion: 'jane@gmail.com' },
        { email: 'jane@gmail.com', suggestion: null },
        { email: 'jane@ymail.com', suggestion: null },
        { email: 'jane@gmail', suggestion: 'jane@gmail.com' },
      ]);
    });

    const malformed: [what: string, address: string][] = [
      ['two @', 'a@b@example.com'],
      ['a comment', 'john(comment)@example.com'],
      ['an IP literal', 'a@[192.0.2.1]'],
      ['a single label', 'a@localhost'],
      ['a bare suffix', 'a@co.uk'],
      ['two dots', 'a..b@example.com'],
      ['a dot in front', '.a@example.com'],
      ['a blank', 'a b@example.com'],
      ['a local part of 65 bytes', `${'a'.repeat(65)}@example.com`],
      ['255 bytes', `a@${nameOf(253)}`],
      ['a letter that turns the direction', 'a\u202eb@example.com'],
    ];
    for (const [what, address] of malformed) {
      test(`an address with ${what} fails the syntax check and still yields a record`, async () => {
        const { status, body } = await emails(address);
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(body[0].email, address);
        assert.equal(body[0].validations.validators.regex.valid, false);
        assert.equal(body[0].validations.valid, false);
      });
    }

    for (const address of [
      '"john doe"@example.com',
      'jörg@example.com',
      'a+tag@example.com',
      `${'a'.repeat(64)}@example.com`,
    ]) {
      test(`${address.slice(0, 30)} is well formed`, async () => {
        const { body } = await emails(address);
        assert.equal(body[0].validations.validators.regex.valid, true);
      });
    }

    for (const text of ['nothing', '@example.com', 'a@', '']) {
      test(`"${text}" is no address`, async () => {
        const { status, body } = await emails(text);
        assert.equal(status, 400);
        assert.match(body.error, /is not an address/);
      });
    }

    test('a name server that is silent about one name delays the answer to the timeout, and is named in a header', async () => {
      dns.zones.set('silent.example', { silent: true });
      const start = performance.now();
      const { status, body, headers } = await domains('example.com', 'silent.example', 'mailinator.com');
      const waited = performance.now() - start;
      assert.equal(status, 200);
      assert.ok(waited < 3000, `${waited} ms`);
      assert.equal(headers.get('warning'), '199 - "MX lookup failed for silent.example"');
      assert.deepEqual(
        body.map((record: { isMxRecordAvailable: boolean }) => record.isMxRecordAvailable),
        [true, false, true],
      );
      const email = await emails('a@silent.example');
      assert.equal(email.headers.get('warning'), '199 - "MX lookup failed for silent.example"');
      assert.equal(email.body[0].validations.validators.mx.valid, false);
    });

    test('five names cost one round of look-ups, in parallel', async () => {
      const slow = Array.from({ length: 5 }, (_, i) => `slow${i}.example`);
      for (const name of slow) dns.zones.set(name, { mx: ['mx.example'], delayMilliseconds: 300 });
      const start = performance.now();
      const { body } = await domains(...slow);
      assert.ok(performance.now() - start < 1450);
      assert.ok(body.every((record: { isMxRecordAvailable: boolean }) => record.isMxRecordAvailable));
    });

    test('a domain is explained: by which lists and since when, or what it imitates', async () => {
      const { status, body } = await get(
        '/web-reputation/domain/explanation?domain=x.mailinator.com&domain=paypa1.com',
      );
      assert.equal(status, 200);
      const [listed, squat] = body;
      assert.equal(listed.source, 'feed');
      assert.equal(listed.listed.name, 'mailinator.com');
      assert.ok(listed.listed.feeds.some((by: { feed: string }) => by.feed === 'mailchecker'));
      assert.match(listed.listed.feeds[0].since, /^\d{4}-\d\d-\d\d$/);
      assert.deepEqual(squat.imitates, { domain: 'paypal.com', technique: 'homoglyph' });
    });

    test('the feeds are shown with their licence, size and age', async () => {
      const { body } = await get('/web-reputation/feeds');
      assert.equal(body.total, body.items.length);
      const mailchecker = body.items.find((feed: { id: string }) => feed.id === 'mailchecker');
      assert.equal(mailchecker.licence, 'MIT');
      assert.ok(mailchecker.names > 50_000);
      assert.ok(Date.parse(mailchecker.fetchedAt) <= Date.now());
      assert.equal(JSON.stringify(body).includes('/server/'), false);
    });
  });
}

/** A name of exactly this many characters. */
function nameOf(length: number): string {
  const tail = '.example.com';
  let name = '';
  while (name.length + tail.length < length) name += name.length % 50 === 49 ? '.' : 'a';
  return name.endsWith('.') ? `${name.slice(0, -1)}a${tail}` : name + tail;
}
