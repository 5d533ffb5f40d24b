// socket.io as its documentation says: WebSockets alone, one room, everybody in it.
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { listenLocally } from '../listen-locally.ts';
import { BENCH_TENANT, stampedSampleChange } from '../sample-change.ts';
import { serveBench } from '../serve-bench.ts';

const server = createServer();
const io = new Server(server, { transports: ['websocket'], serveClient: false, perMessageDeflate: false });
io.on('connection', (socket) => {
  void socket.join(BENCH_TENANT);
});
serveBench(await listenLocally(server), (index) => {
  io.to(BENCH_TENANT).emit('EntityChanged', stampedSampleChange(index));
});
