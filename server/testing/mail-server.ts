import { once } from 'node:events';
import { createServer } from 'node:net';

/** A mail server that keeps what it is sent. */
export interface MailServer extends AsyncDisposable {
  /** For `MAINSTAY_SMTP_URL`. */
  url: string;
  /** Each as it was sent, without the doubled dots of SMTP and the line breaks that quoted-printable adds. */
  letters: string[];
  /** The newest letter to that address that has that text in it; waits for it. */
  letterTo(address: string, text?: string): Promise<string>;
}

export async function startMailServer(): Promise<MailServer> {
  const letters: string[] = [];
  const smtp = createServer((socket) => {
    let inData = false;
    let letter = '';
    socket.write('220 test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (inData) {
        letter += text;
        if (!letter.endsWith('\r\n.\r\n')) return;
        // Where a line begins with a dot, the sender puts one more in front of it (RFC 5321, 4.5.2).
        const sent = letter.replace(/\r\n\./g, '\r\n');
        letters.push(sent.replace(/=\r\n/g, '').replace(/=3D/g, '='));
        inData = false;
        socket.write('250 taken\r\n');
      } else if (/^DATA/i.test(text)) {
        inData = true;
        letter = '';
        socket.write('354 go on\r\n');
      } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    });
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp, 'listening');
  const { port } = smtp.address() as { port: number };
  const letterTo = async (address: string, text = '') => {
    for (let waited = 0; waited < 5000; waited += 10) {
      const found = letters.findLast((letter) => letter.includes(`To: ${address}`) && letter.includes(text));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`No letter to ${address} with “${text}” came.`);
  };
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    letterTo,
    async [Symbol.asyncDispose]() {
      smtp.close();
    },
  };
}
