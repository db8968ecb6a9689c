import { randomInt } from 'node:crypto';
import packet, { type Answer, type DecodedPacket } from 'dns-packet';

export type QuestionType = 'MX' | 'A' | 'AAAA' | 'CNAME' | 'TXT';

/** What a name server says of a name. */
export interface Reply {
  /** The name exists: there may be no records of the type that was asked for all the same (NODATA). */
  readonly exists: boolean;
  readonly records: readonly Answer[];
  /** Seconds that it may be accepted. */
  readonly ttl: number;
}

/** EDNS(0) (RFC 6891): the size that crosses the Internet without fragments (DNS Flag Day 2020). */
const udpPayloadBytes = 1232;

export interface Question {
  readonly id: number;
  readonly bytes: Buffer;
}

export function question(name: string, type: QuestionType): Question {
  const id = randomInt(65_536);
  const bytes = packet.encode({
    type: 'query',
    id,
    flags: packet.RECURSION_DESIRED,
    questions: [{ type, class: 'IN', name }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: udpPayloadBytes,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
  return { id, bytes };
}

/** The message, if it answers this question: undefined for one that somebody else made up. */
export function decodeAnswer(
  bytes: Buffer,
  asked: { id: number; name: string; type: QuestionType },
): DecodedPacket | undefined {
  let message: DecodedPacket;
  try {
    message = packet.decode(bytes);
  } catch {
    return undefined;
  }
  const [echoed] = message.questions ?? [];
  if (message.type !== 'response' || message.id !== asked.id || !echoed) return undefined;
  const isSame = echoed.type === asked.type && echoed.name.toLowerCase() === asked.name;
  return isSame ? message : undefined;
}

/** How long nothing is accepted where the server does not say: RFC 2308, 5 wants an SOA record and not all send one. */
const negativeFallbackSeconds = 60;
/** RFC 2308, 5: three hours at most. */
const mostNegativeSeconds = 10_800;
/** RFC 8767, 4: a week at most. */
const mostSeconds = 604_800;

/** What the message says; undefined where the server could not answer (SERVFAIL, REFUSED): another may. */
export function readAnswer(message: DecodedPacket, type: QuestionType): Reply | undefined {
  // The types of the package leave it out.
  const { rcode: code } = message as DecodedPacket & { rcode: string };
  if (code !== 'NOERROR' && code !== 'NXDOMAIN') return undefined;
  const answers = message.answers ?? [];
  const records = answers.filter((answer) => answer.type === type);
  if (records.length > 0) {
    // Aliases on the way count: a chain is as fresh as its oldest link.
    const ttl = Math.min(...answers.map(ttlOf), mostSeconds);
    return { exists: true, records, ttl };
  }
  return { exists: code === 'NOERROR', records: [], ttl: negativeTtl(message) };
}

function negativeTtl(message: DecodedPacket): number {
  for (const authority of message.authorities ?? []) {
    if (authority.type === 'SOA')
      return Math.min(ttlOf(authority), authority.data.minimum ?? 0, mostNegativeSeconds);
  }
  return negativeFallbackSeconds;
}

function ttlOf(answer: Answer): number {
  return 'ttl' in answer && typeof answer.ttl === 'number' ? answer.ttl : 0;
}
