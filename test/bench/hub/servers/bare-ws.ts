// The least that a broadcast over `ws` can be: no groups, no handshake, no limits. Serialises once, sends to each.
import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { listenLocally } from '../listen-locally.ts';
import { stampedSampleChange } from '../sample-change.ts';
import { serveBench } from '../serve-bench.ts';

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
serveBench(await listenLocally(server), (index) => {
  const invocation = { type: 1, target: 'EntityChanged', arguments: [stampedSampleChange(index)] };
  const text = `${JSON.stringify(invocation)}\u001e`;
  for (const client of sockets.clients) if (client.readyState === WebSocket.OPEN) client.send(text);
});
