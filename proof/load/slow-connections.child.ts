import { connect, type Socket } from 'node:net';

/**
 * Opens connections that send half a request and then nothing. A connection that the server closes is replaced a second
 * later. `node slow-connections.child.ts <port> <number> <local address>`, until it is killed.
 */

const [port, connections, localAddress] = process.argv.slice(2);
const AGAIN_MS = 1000;

function hold(): void {
  const socket: Socket = connect({ port: Number(port), host: '127.0.0.1', ...(localAddress && { localAddress }) });
  socket.on('error', () => undefined); // 'close' follows
  socket.once('close', () => setTimeout(hold, AGAIN_MS));
  socket.write('GET /api/v1/users/session HTTP/1.1\r\nhost: localhost\r\n');
}

for (let nth = 0; nth < Number(connections); nth += 1) hold();
process.stdout.write('they are on their way\n');
