/** A network, and what the file says about it. Networks must not contain each other. */
interface CountryNetwork {
  /** `203.0.113.0/24`, `2001:db8::/32` */
  network: string;
  record: MmdbValue;
}

type MmdbValue = string | number | MmdbValue[] | { [name: string]: MmdbValue };

const empty = Symbol('no network');
type Branch = typeof empty | Branches | { offset: number };
type Branches = [Branch, Branch];

/**
 * A database of countries as MaxMind writes them, of version 2.0: a tree of the bits of IPv6 addresses, IPv4 ones at ::/96,
 * then records. (https://maxmind.github.io/MaxMind-DB/)
 */
export function countryFile(networks: readonly CountryNetwork[]): Buffer {
  const root: Branches = [empty, empty];
  const records: Buffer[] = [];
  let offset = 0;
  for (const { network, record } of networks) {
    const bits = bitsOf(network);
    let branches = root;
    for (const bit of bits.slice(0, -1)) {
      let next = branches[bit];
      if (!Array.isArray(next)) {
        next = [empty, empty];
        branches[bit] = next;
      }
      branches = next;
    }
    branches[bits.at(-1) as 0 | 1] = { offset };
    const encoded = encode(record);
    records.push(encoded);
    offset += encoded.length;
  }
  const nodes = nodesOf(root);
  const metadata = encode({
    ...{ binary_format_major_version: 2, binary_format_minor_version: 0, build_epoch: 1_700_000_000 },
    ...{ database_type: 'Test-City', languages: ['en'], description: { en: 'Made by a test' } },
    ...{ ip_version: 6, node_count: nodes.length, record_size: 24 },
  });
  const marker = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')]);
  return Buffer.concat([treeOf(nodes), Buffer.alloc(separatorBytes), ...records, marker, metadata]);
}

const separatorBytes = 16;

function nodesOf(root: Branches): Branches[] {
  const nodes = [root];
  // The list grows while it is walked.
  for (const node of nodes) nodes.push(...node.filter((branch) => Array.isArray(branch)));
  return nodes;
}

/** Two numbers a node: of the next node, of a record behind the tree, or that of nodes for nothing. */
function treeOf(nodes: readonly Branches[]): Buffer {
  const numbers = new Map<Branch, number>(nodes.map((node, index) => [node, index]));
  const tree = Buffer.alloc(nodes.length * 6);
  nodes.forEach((node, index) => {
    node.forEach((branch, side) => {
      const leaf = typeof branch === 'object' && 'offset' in branch ? separatorBytes + branch.offset : 0;
      tree.writeUIntBE(numbers.get(branch) ?? nodes.length + leaf, index * 6 + side * 3, 3);
    });
  });
  return tree;
}

function bitsOf(network: string): (0 | 1)[] {
  const [address = '', length] = network.split('/');
  const isShort = !address.includes(':');
  const bits = isShort ? '0'.repeat(96) + binary(address.split('.'), 10, 8) : binaryOfLong(address);
  return [...bits.slice(0, Number(length) + (isShort ? 96 : 0))].map((bit) => (bit === '1' ? 1 : 0));
}

function binaryOfLong(address: string): string {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const missing = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return binary([...head, ...missing, ...tail], 16, 16);
}

function binary(parts: readonly string[], radix: number, width: number): string {
  return parts.map((part) => Number.parseInt(part, radix).toString(2).padStart(width, '0')).join('');
}

/** Numbers are of 32 bits, where the format names others: readers look at what is written. */
function encode(value: MmdbValue): Buffer {
  if (typeof value === 'number') {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(value);
    return Buffer.concat([head(6, 4), number]);
  }
  if (typeof value === 'string')
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  // Types above 7 have a byte of their own.
  if (Array.isArray(value))
    return Buffer.concat([head(0, value.length), Buffer.from([11 - 7]), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([head(7, entries.length), ...entries.flat().map(encode)]);
}

function head(type: number, size: number): Buffer {
  if (size > 28) throw new Error('Longer values have longer sizes, which no test needs.');
  return Buffer.from([(type << 5) | size]);
}
