import type { ServerResponse } from 'node:http';
import type {
  BatchFraming,
  HubProtocol,
  HubTiming,
  HubWire,
  MessageBatch,
  Timers,
} from '../../core/index.ts';
import type { PostedInput } from './posted-input.ts';

/** Polls are never answered from a cache. */
const NO_CACHE = {
  'Cache-Control': 'no-cache, no-store',
  Pragma: 'no-cache',
  Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
} as const;

/** Bytes as they are. */
const plain: BatchFraming<Uint8Array> = { frame: (payload) => payload };

/**
 * Clients send the handshake beside their second poll, and a lost packet costs them 1 to 3 s. Without it for so long, in
 * milliseconds, nobody will ever speak on this connection: where nodes share a secret, the poll is of a connection that
 * another node had, which is gone.
 */
const POLLED_HANDSHAKE_MS = 4_000;

export interface LongPollingWireOptions {
  readonly input: PostedInput;
  readonly timing: HubTiming;
  readonly timers: Timers;
  /** Whether the handshake is still to come. Default: it is not. */
  readonly isAwaited?: () => boolean;
  /** Once: the client has heard the end, or never will. */
  readonly onEnd: () => void;
}

/**
 * A hub connection's polls. Messages wait here for the next poll, which is open most of the time. A poll whose answer
 * did not leave (the client broke it off) gives its messages back, so they come with the next one.
 */
export class LongPollingWire implements HubWire {
  readonly formats = ['Text', 'Binary'] as const;
  readonly keepsAlive = true;
  readonly #options: LongPollingWireOptions;
  #waiting: Uint8Array[] = [];
  #bufferedBytes = 0;
  #takenBytes = 0;
  #poll: ServerResponse | null = null;
  /** The answer that is leaving: whether it did is known when it is finished or broken off. */
  #leaving: {
    readonly poll: ServerResponse;
    readonly socket: ServerResponse['socket'];
    readonly sent: readonly Uint8Array[];
    readonly bytes: number;
  } | null = null;
  #timer: unknown;
  #isActive = false;
  #isClosing = false;
  #isOver = false;
  #wake = () => {};

  constructor(options: LongPollingWireOptions) {
    this.#options = options;
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Takes a poll: the first one only activates the connection and is answered at once; a newer one supersedes an older. */
  poll(response: ServerResponse): void {
    if (this.#isOver) {
      answer(response, 204);
      return;
    }
    // Who polls again before an answer has left has given that answer up.
    const givenUp = this.#leaving?.poll;
    this.#settle();
    givenUp?.destroy();
    const superseded = this.#poll;
    this.#poll = null;
    if (superseded !== null) answer(superseded, 204);
    if (!this.#isActive) {
      this.#isActive = true;
      answer(response, 200);
      this.#expectPoll();
      return;
    }
    this.#poll = response;
    response.once('close', () => {
      if (this.#poll !== response) return;
      this.#poll = null;
      this.#expectPoll();
    });
    this.#waitForMessages();
    this.#answer();
  }

  write(batch: MessageBatch, protocol: HubProtocol): void {
    if (this.#isOver) return;
    const bytes = batch.framed(protocol, plain);
    this.#waiting.push(bytes);
    this.#bufferedBytes += bytes.length;
    this.#answer();
  }

  drained(): Promise<void> {
    if (this.#bufferedBytes === 0 || this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const before = this.#wake;
      this.#wake = () => {
        before();
        resolve();
      };
    });
  }

  pause(): void {
    this.#options.input.pause();
  }

  resume(): void {
    this.#options.input.resume();
  }

  /** What waits still goes out with the next poll, and only the one after that is told of the end. */
  close(): void {
    this.#isClosing = true;
    this.#options.input.resume();
    if (this.#poll === null) this.#expectPoll();
    else this.#answer();
  }

  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.timers.clear(this.#timer);
    this.#options.input.resume();
    this.#wake();
    this.#answerPoll(204);
    const leaving = this.#leaving;
    this.#leaving = null;
    // Who takes nothing of it would keep its memory for as long as the socket lives.
    if (leaving?.poll.writableFinished === false) leaving.poll.destroy();
    this.#options.onEnd();
  }

  #answer(): void {
    const poll = this.#poll;
    if (poll === null) return;
    if (this.#waiting.length > 0) this.#answerWithMessages(poll);
    else if (this.#isClosing) this.abort();
  }

  #answerWithMessages(poll: ServerResponse): void {
    const sent = this.#waiting;
    const body = Buffer.concat(sent);
    this.#waiting = [];
    this.#bufferedBytes = 0;
    this.#poll = null;
    this.#leaving = { poll, socket: poll.socket, sent, bytes: body.length };
    poll.once('close', () => {
      if (this.#leaving?.poll === poll) this.#settle();
    });
    poll
      .writeHead(200, {
        'Content-Type': 'application/octet-stream',
        'Content-Length': body.length,
        ...NO_CACHE,
      })
      .end(body);
    this.#wake();
    this.#wake = () => {};
    this.#expectPoll();
  }

  /** The answer that was leaving has left, or its messages wait again, before those that came since. */
  #settle(): void {
    const leaving = this.#leaving;
    this.#leaving = null;
    if (leaving === null) return;
    // Node calls an answer finished also when its connection broke while it was written.
    if (leaving.poll.writableFinished && leaving.socket?.destroyed !== true) {
      this.#takenBytes += leaving.bytes;
      return;
    }
    if (this.#isOver) return;
    this.#waiting = [...leaving.sent, ...this.#waiting];
    this.#bufferedBytes += leaving.bytes;
    this.#answer();
  }

  #waitForMessages(): void {
    const { timing, isAwaited = () => false } = this.#options;
    const timeoutMs = isAwaited() ? POLLED_HANDSHAKE_MS : timing.pollTimeoutMs;
    this.#startTimer(timeoutMs, () => {
      if (isAwaited())
        this.abort(); // the client learns that its connection is over, and comes back
      else this.#answerPoll(200);
    });
  }

  #answerPoll(status: number): void {
    const poll = this.#poll;
    this.#poll = null;
    if (poll === null) return;
    answer(poll, status);
    if (!this.#isOver) this.#expectPoll();
  }

  #expectPoll(): void {
    this.#startTimer(this.#options.timing.disconnectTimeoutMs, () => this.abort());
  }

  #startTimer(afterMs: number, run: () => void): void {
    this.#options.timers.clear(this.#timer);
    this.#timer = this.#options.timers.set(run, afterMs);
  }
}

/** Without a body. */
function answer(response: ServerResponse, status: number): void {
  response
    .writeHead(
      status,
      status === 204 ? NO_CACHE : { 'Content-Type': 'text/plain', 'Content-Length': 0, ...NO_CACHE },
    )
    .end();
}
