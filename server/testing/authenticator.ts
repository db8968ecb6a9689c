import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';

/**
 * A passkey as a phone would hold it (WebAuthn Level 3): one ES256 key. `verifiesUser`: whether it asked its owner for a
 * PIN or a fingerprint.
 */
export class Authenticator {
  readonly #privateKey: KeyObject;
  readonly #publicKey: Buffer;
  readonly #id = randomBytes(16);
  readonly #origin: string;
  readonly #verifiesUser: boolean;
  #counter = 0;

  constructor({ origin, verifiesUser = true }: { origin: string; verifiesUser?: boolean }) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    // COSE_Key (RFC 9053, 7.1): kty EC2, alg ES256, crv P-256, x, y.
    this.#publicKey = map([
      [number(1), number(2)],
      [number(3), number(-7)],
      [number(-1), number(1)],
      [number(-2), bytes(Buffer.from(x, 'base64url'))],
      [number(-3), bytes(Buffer.from(y, 'base64url'))],
    ]);
    this.#origin = origin;
    this.#verifiesUser = verifiesUser;
  }

  /** The answer to `navigator.credentials.create()`, as `toJSON()` gives it. */
  create({ challenge, rp }: { challenge: string; rp: { id: string } }) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#publicKey]);
    const attestation = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(this.#authenticatorData(rp.id, attested))],
    ]);
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The answer to `navigator.credentials.get()`. */
  get({ challenge, rpId }: { challenge: string; rpId: string }) {
    const clientData = this.#clientData('webauthn.get', challenge);
    const data = this.#authenticatorData(rpId);
    const signed = Buffer.concat([data, hash('sha256', clientData, 'buffer')]);
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
    });
  }

  #credential(response: object) {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, attested?: Buffer): Buffer {
    const [present, verified, hasKey] = [0x01, 0x04, 0x40];
    const flags = present | (this.#verifiesUser ? verified : 0) | (attested ? hasKey : 0);
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags, 0);
    tail.writeUInt32BE(++this.#counter, 1);
    return Buffer.concat([hash('sha256', rpId, 'buffer'), tail, attested ?? Buffer.alloc(0)]);
  }
}

/** As much of CBOR (RFC 8949) as an authenticator says. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

function number(value: number): Buffer {
  return value >= 0 ? head(0, value) : head(1, -1 - value);
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([head(2, value.length), value]);
}

function text(value: string): Buffer {
  const encoded = Buffer.from(value, 'utf8');
  return Buffer.concat([head(3, encoded.length), encoded]);
}

function map(pairs: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([head(5, pairs.length), ...pairs.flat()]);
}
