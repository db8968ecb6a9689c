import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import packet, { type Answer, type Packet } from 'dns-packet';

/** What the server says of a name; `silent` says nothing at all. */
export interface Zone {
  mx?: readonly string[];
  a?: readonly string[];
  aaaa?: readonly string[];
  cname?: string;
  txt?: readonly string[];
  /** Seconds of each record, and of what is not there. */
  ttl?: number;
  /** Sent without an SOA record, as some servers do. */
  withoutSoa?: boolean;
  missing?: boolean;
  silent?: boolean;
  failing?: boolean;
  /** Answered over UDP with the truncation bit alone. */
  truncated?: boolean;
  /** Answered first with another id, by somebody who guesses. */
  forged?: boolean;
  delayMilliseconds?: number;
}

/** A real DNS server on loopback, UDP and TCP, that says what it is told. Unknown names do not exist. */
export interface NameServer extends AsyncDisposable {
  /** For MAINSTAY_DNS_SERVERS. */
  address: string;
  zones: Map<string, Zone>;
  /** What was asked, as `MX example.com`, in order. */
  asked: string[];
  /** The most questions that were open at once. */
  mostOpen(): number;
}

export async function startNameServer(zones: Record<string, Zone> = {}): Promise<NameServer> {
  const known = new Map(Object.entries(zones));
  const asked: string[] = [];
  let open = 0;
  let most = 0;

  const answer = async (query: Buffer, overTcp: boolean, send: (message: Buffer) => void) => {
    const { id, questions = [] } = packet.decode(query);
    const [question] = questions;
    if (!question) return;
    const zone = known.get(question.name) ?? { missing: true };
    asked.push(`${question.type} ${question.name}`);
    if (zone.silent) return;
    most = Math.max(most, ++open);
    if (zone.delayMilliseconds) await new Promise((resolve) => setTimeout(resolve, zone.delayMilliseconds));
    open--;
    if (zone.forged) {
      send(
        packet.encode({
          ...reply(id, question, { mx: ['forged.example'] }, overTcp),
          id: ((id ?? 0) + 1) & 0xffff,
        }),
      );
    }
    send(packet.encode(reply(id, question, zone, overTcp)));
  };

  const udp = createSocket('udp4');
  udp.on('message', (query, from) => {
    void answer(query, false, (message) => udp.send(message, from.port, from.address));
  });
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const { port } = udp.address();

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      void answer(data.subarray(2), true, (message) => {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(message.length);
        // In two pieces, as networks do.
        socket.write(Buffer.concat([length, message.subarray(0, 5)]));
        setImmediate(() => socket.write(message.subarray(5)));
      });
    });
  });
  await new Promise<void>((resolve) => tcp.listen(port, '127.0.0.1', resolve));

  return {
    address: `127.0.0.1:${port}`,
    zones: known,
    asked,
    mostOpen: () => most,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

const servfail = 2;
const nxdomain = 3;

function reply(
  id: number | undefined,
  question: { name: string; type: string },
  zone: Zone,
  overTcp: boolean,
): Packet {
  const { name, type } = question;
  const { ttl = 300 } = zone;
  const rcode = zone.failing ? servfail : zone.missing ? nxdomain : 0;
  const truncated = zone.truncated && !overTcp;
  const answers = rcode === 0 && !truncated ? recordsOf(name, type, zone, ttl) : [];
  const soa: Answer = {
    type: 'SOA',
    name,
    ttl: 86_400,
    data: {
      mname: 'ns.example',
      rname: 'root.example',
      serial: 1,
      refresh: 1,
      retry: 1,
      expire: 1,
      minimum: ttl,
    },
  };
  return {
    type: 'response',
    ...(id === undefined ? {} : { id }),
    flags:
      packet.RECURSION_DESIRED |
      packet.RECURSION_AVAILABLE |
      rcode |
      (truncated ? packet.TRUNCATED_RESPONSE : 0),
    questions: [{ type: type as 'MX', name }],
    answers,
    authorities: answers.length === 0 && !zone.withoutSoa && rcode !== servfail ? [soa] : [],
  };
}

function recordsOf(name: string, type: string, zone: Zone, ttl: number): Answer[] {
  if (type === 'MX')
    return (zone.mx ?? []).map((exchange) => ({ type, name, ttl, data: { preference: 10, exchange } }));
  if (type === 'CNAME') return zone.cname ? [{ type, name, ttl, data: zone.cname }] : [];
  // In two strings each, as long ones have to be.
  if (type === 'TXT')
    return (zone.txt ?? []).map((text) => ({
      ...{ type, name, ttl },
      data: [text.slice(0, 5), text.slice(5)],
    }));
  const addresses = type === 'A' ? zone.a : type === 'AAAA' ? zone.aaaa : [];
  return (addresses ?? []).map((data) => ({ type: type as 'A', name, ttl, data }));
}
