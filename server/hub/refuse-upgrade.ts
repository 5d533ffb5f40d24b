import type { Duplex } from 'node:stream';

/** Why an upgrade is not carried out. */
export interface RefusedUpgrade {
  /** The status line's end. */
  readonly refusal: string;
  readonly text?: string;
}

/** A peer that resets its connection is no fault of the server's: unheard, the error would end the process. */
export function endOnError(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
}

/** Answers and ends the connection, whether or not the peer ends its half. */
export function refuseUpgrade(socket: Duplex, { refusal, text = '' }: RefusedUpgrade): void {
  endOnError(socket);
  socket.once('finish', () => socket.destroy());
  const lines = [
    `HTTP/1.1 ${refusal}`,
    'Content-Type: text/plain',
    `Content-Length: ${text.length}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}
