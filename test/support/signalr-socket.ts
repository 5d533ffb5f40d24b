import { once } from 'node:events';
import { WebSocket } from 'ws';
import { DEFAULT_HUB_PATH } from '../../core/index.ts';

/**
 * A WebSocket to a node's hub whose handshake is through, without negotiation; rejects where the node refuses. Frames go
 * to `onFrame` as they come, the handshake's reply aside: for tests that look at many or large ones.
 */
export async function openSignalRSocket(
  url: string,
  token: string,
  onFrame: (frame: Buffer) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${DEFAULT_HUB_PATH}`, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  const greeted = once(socket, 'message');
  socket.send('{"protocol":"json","version":1}\u001e');
  await greeted;
  socket.on('message', onFrame);
  return socket;
}
