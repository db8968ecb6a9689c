import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { cpuMilliseconds } from '#testing/cpu.ts';
import { type DomainName, isDomain, readDomain } from '../domain-name.ts';
import { SquatDetector } from './detector.ts';
import { readNames } from './files.ts';
import { distance, isRearranged } from './likeness.ts';
import { asSeen } from './look-alikes.ts';
import { readProtectedNames } from './protected-names.ts';

function domain(text: string): DomainName {
  const read = readDomain(text);
  assert.ok(isDomain(read), text);
  return read;
}

describe('squats', () => {
  let detector: SquatDetector;
  before(async () => {
    detector = new SquatDetector(await readNames(undefined));
  });

  const squats: Record<string, [of: string, technique: string]> = {
    'paypal.xyz': ['paypal.com', 'wrong_tld'],
    'gogle.com': ['google.com', 'typo'],
    'facebok.com': ['facebook.com', 'typo'],
    'amazonn.com': ['amazon.com', 'typo'],
    'micorsoft.com': ['microsoft.com', 'typo'],
    'netfkix.com': ['netflix.com', 'typo'],
    'gaagle.com': ['google.com', 'typo'],
    'paypa1.com': ['paypal.com', 'homoglyph'],
    'arnazon.com': ['amazon.com', 'homoglyph'],
    'раypal.com': ['paypal.com', 'homoglyph'],
    'аррӏе.com': ['apple.com', 'homoglyph'],
    'gооglе.com': ['google.com', 'homoglyph'],
    'ḟacebook.com': ['facebook.com', 'homoglyph'],
    'pay-pal.com': ['paypal.com', 'hyphenation'],
    'paypal-login.com': ['paypal.com', 'combosquatting'],
    'secureamazonaccount.net': ['amazon.com', 'combosquatting'],
    'wwwgoogle.com': ['google.com', 'combosquatting'],
    'googlecom.com': ['google.com', 'combosquatting'],
    'micros0ft-support.com': ['microsoft.com', 'combosquatting'],
    'dhl-delivery.top': ['dhl.com', 'combosquatting'],
    'chase-verify.com': ['chase.com', 'combosquatting'],
    'www.paypal.com.example-hosting.net': ['paypal.com', 'subdomain'],
    'login.chase.example-hosting.net': ['chase.com', 'subdomain'],
    'pay.pal.com': ['paypal.com', 'subdomain'],
    'paypal-login.web.app': ['paypal.com', 'combosquatting'],
    'dell-login.com': ['dell.com', 'combosquatting'],
    'asosaccount.shop': ['asos.com', 'combosquatting'],
    'vinted-paiement.com': ['vinted.com', 'combosquatting'],
    'willhaben-zahlung.at': ['willhaben.at', 'combosquatting'],
    'gojekhadiah.com': ['gojek.com', 'combosquatting'],
    'allegro-przesylka.pl': ['allegro.pl', 'combosquatting'],
    'trendyol-kargo.com': ['trendyol.com', 'combosquatting'],
    'netflixpagamento.com.br': ['netflix.com', 'combosquatting'],
    'santander-verificacion.com': ['santander.com', 'combosquatting'],
    'paypal-terugbetaling.nl': ['paypal.com', 'combosquatting'],
    'zalando-gutscheine.de': ['zalando.de', 'combosquatting'],
    'netflixactualizaciones.com': ['netflix.com', 'combosquatting'],
    'dell.xyz': ['dell.com', 'wrong_tld'],
    'indeed.top': ['indeed.com', 'wrong_tld'],
    'indeed-billing.com': ['indeed.com', 'combosquatting'],
    'de11.com': ['dell.com', 'homoglyph'],
    'indeed.com.example-hosting.net': ['indeed.com', 'subdomain'],
    'apples.com': ['apple.com', 'typo'],
    'rerrit.com': ['reddit.com', 'typo'],
    'orangecom.com': ['orange.com', 'combosquatting'],
    'sparkassede.de': ['sparkasse.de', 'combosquatting'],
    'www-grab.com': ['grab.com', 'combosquatting'],
    'gap-login.com': ['gap.com', 'combosquatting'],
    'accountbox.net': ['box.com', 'combosquatting'],
    'gap.xyz': ['gap.com', 'wrong_tld'],
    'ub.er.com': ['uber.com', 'subdomain'],
    'lije.me': ['line.me', 'typo'],
    'visa-helpcenter.com': ['visa.com', 'combosquatting'],
    'loginvisa.com': ['visa.com', 'combosquatting'],
    't-mobile-verify.com': ['t-mobile.com', 'combosquatting'],
    // Of packages alone: banks and shops of every continent.
    'bankislam-login.com': ['bankislam.com.my', 'combosquatting'],
    'esselungarimborso.com': ['esselunga.it', 'combosquatting'],
    'shoprite-refund.com': ['shoprite.co.za', 'combosquatting'],
    'mercadona-cupon.es': ['mercadona.com', 'combosquatting'],
  };
  for (const [name, [of, technique]] of Object.entries(squats)) {
    test(`${name} imitates ${of}`, () => assert.deepEqual(detector.examine(domain(name)), { of, technique }));
  }

  const genuine =
    'google.com google.co.uk mail.google.com googleusercontent.com amazonaws.com s3.amazonaws.com paypal.me paypal.fr ' +
    'mail.com gmail.com ymail.com email.com appel.nl bing.com bling.com xing.com mail.ru box.com netflix.com ' +
    'windowscentral.com applebees.com pineapple.com purchase.com amazonia.org visahq.com target.nl apply.com ' +
    'microsoft.github.io paypal.github.io hotmail.fr hotmail.es hotmail.it hotmail.co.th fastmail.jp fastmail.us fastmailbox.net myyahoo.com orange.net gmx.at ' +
    'linkedin.cn cloudflarestorage.com shopifypreview.com dell-tower.com indeedworks.com ' +
    'square.link sony.tv reuters.it slidesharecdn.com expediainc.com pcloud.com i-mobile.co.jp nethack.org ' +
    'networkworld.com bankislam.com.my delight.com visage.com pallet.com humana.com netgear.com ' +
    'connectwise.com jitbit.com linea.com line.net webserviceline.org m.etra.com zooplus.com minecraftservers.com githubblog.org ' +
    'fingerhut.com carsdirect.com preciolandia.com gradelink.com boats.com colombia.com ' +
    'github.company.example bücher.de müller.de xn--e1afmkfd.xn--p1ai';
  for (const name of genuine.split(' ')) {
    test(`${name} imitates nobody`, () => assert.equal(detector.examine(domain(name)), undefined));
  }

  test('operators add names to protect, and names that imitate nobody', () => {
    const added = new SquatDetector(
      readProtectedNames({
        name: 'ours',
        text: '# ours\nacmebank.example acmebank.*\n= acmebonk.com # a rival\n',
      }),
    );
    assert.deepEqual(added.examine(domain('acmebxnk.com')), { of: 'acmebank.example', technique: 'typo' });
    assert.equal(added.examine(domain('acmebonk.com')), undefined);
    assert.equal(added.examine(domain('acmebank.fr')), undefined);
    assert.equal(added.examine(domain('acmebank.top'))?.technique, 'wrong_tld');
  });

  test('a wrong line in their file is named', () => {
    assert.throws(() => readProtectedNames({ name: 'ours', text: '\nnot a name!\n' }), /ours, line 2/);
    assert.throws(() => readProtectedNames({ name: 'ours', text: 'www.acme.com' }), /write acme\.com/);
  });

  test('the longest labels are examined in no time', () => {
    const long = [
      'a'.repeat(63),
      `${'login-'.repeat(10)}a`,
      `${'securelogin'.repeat(5)}paypal`,
      'paypalpaypal'.repeat(5),
    ];
    for (const label of long) {
      assert.ok(cpuMilliseconds(() => detector.examine(domain(`${label}.com`))) < 20, label);
    }
  });
});

test('edits cost as much as they are seen', () => {
  assert.equal(distance('paypal', 'paypal'), 0);
  assert.equal(distance('paypal', 'paypa1'), 0.4);
  assert.equal(distance('amazon', 'arnazon'), 0.6);
  assert.equal(distance('google', 'gogole'), 0.95);
  assert.equal(distance('google', 'goople'), 1);
  assert.equal(distance('google', 'gxogle'), 1);
  assert.equal(distance('google', 'xoogle'), 1.25);
  assert.equal(distance('google', 'hoogle'), 0.95);
  assert.ok(distance('google', 'bing') > 3);
});

test('one letter elsewhere, or one vowel replaced throughout, is seen as one slip', () => {
  assert.equal(isRearranged('google', 'ogogle'), true);
  assert.equal(isRearranged('google', 'gaagle'), true);
  assert.equal(isRearranged('google', 'google'), false);
  assert.equal(isRearranged('google', 'elgoog'), false);
});

test('letters of other scripts are read as what they look like', () => {
  assert.equal(asSeen('раураӏ'), 'paypal');
  assert.equal(asSeen('ｇｏｏｇｌｅ'), 'google');
  assert.equal(asSeen('ꜱᴛʀɪᴘᴇ'), 'stripe');
  assert.equal(asSeen('ñíkê'), 'nike');
  assert.equal(asSeen('日本'), '??');
});
