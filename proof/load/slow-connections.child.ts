import { connect, type Socket } from 'node:net';

/**
 * Connections to a port of this machine that never say what they want: half of a request over each, and where the server closes one,
 * another a second later. `node slow-connections.child.ts <port> <how many> <from which address>`, until it is killed.
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
