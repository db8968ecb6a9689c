import { once } from 'node:events';
import { createServer } from 'node:net';

/** A mail server that keeps what it is sent. */
export interface MailServer extends AsyncDisposable {
  /** For `MAINSTAY_SMTP_URL`. */
  url: string;
  /** Each as it was sent, without the doubled dots of SMTP and the line breaks that quoted-printable adds. */
  emails: string[];
  /** The newest e-mail to that address that has that text in it; waits for it. */
  emailTo(address: string, text?: string): Promise<string>;
}

export async function startMailServer(): Promise<MailServer> {
  const emails: string[] = [];
  const smtp = createServer((socket) => {
    let inData = false;
    let email = '';
    socket.write('220 test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (inData) {
        email += text;
        if (!email.endsWith('\r\n.\r\n')) return;
        // Where a line begins with a dot, the sender puts one more in front of it (RFC 5321, 4.5.2).
        const sent = email.replace(/\r\n\./g, '\r\n');
        emails.push(sent.replace(/=\r\n/g, '').replace(/=3D/g, '='));
        inData = false;
        socket.write('250 taken\r\n');
      } else if (/^DATA/i.test(text)) {
        inData = true;
        email = '';
        socket.write('354 go on\r\n');
      } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    });
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp, 'listening');
  const { port } = smtp.address() as { port: number };
  const emailTo = async (address: string, text = '') => {
    for (let waited = 0; waited < 5000; waited += 10) {
      const found = emails.findLast((email) => email.includes(`To: ${address}`) && email.includes(text));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`No e-mail to ${address} with “${text}” came.`);
  };
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    emailTo,
    async [Symbol.asyncDispose]() {
      smtp.close();
    },
  };
}
